import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeModel } from '../../../../../scripts/material/onnx/library.mjs';
import { EngineUnavailableError } from '../engine.js';
import { resolveInstalledRecognizer } from './resolve-installed-recognizer.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-choose-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function refusal(name?: string): Promise<string> {
  const error: unknown = await resolveInstalledRecognizer(folder, name).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EngineUnavailableError);
  return String(error);
}

it('resolveInstalledRecognizer selects the only or the named recognizer, and otherwise advises what to do', async () => {
  expect(await refusal()).toMatch(/no recogniser is installed.*models list.*models pull NAME/);
  await makeModel(folder, 'tiny-moonshine');
  expect((await resolveInstalledRecognizer(folder, undefined)).name).toBe('tiny-moonshine');
  await makeModel(folder, 'tiny-parakeet');
  expect(await refusal()).toMatch(/SHERPA_MODEL to one of tiny-moonshine, tiny-parakeet/);
  expect((await resolveInstalledRecognizer(folder, 'tiny-parakeet')).family).toBe('transducer');
  expect(await refusal('tiny-whisper')).toMatch(/models pull tiny-whisper/);
});
