import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeModel } from '../../../../scripts/material/onnx/library.mjs';
import { aidChecks } from './aid-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function told(...models: string[]): Promise<Record<string, string>> {
  for (const model of models) await makeModel(folder, model);
  const findings = await aidChecks(folder);
  return Object.fromEntries(findings.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
}

describe('the models beside the engine', () => {
  it('need not be there', async () => {
    expect(await told()).toEqual({
      speech: 'ok: found by volume, without a model',
      speakers: 'ok: diarization without models',
      punctuation: 'ok: from the engine, otherwise by rules',
      language: 'ok: as reported by the engine',
    });
  });

  it('are named, and so is what is not used', async () => {
    const all = ['tiny-silero', 'tiny-silero-four', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation'];
    expect(await told(...all, 'tiny-language')).toEqual({
      speech: 'ok: tiny-silero (not tiny-silero-four)',
      speakers: 'ok: tiny-pyannote with tiny-voices',
      punctuation: 'ok: tiny-punctuation',
      language: 'ok: tiny-language',
    });
  });

  it.each([
    ['tiny-pyannote', 'embedding'],
    ['tiny-voices', 'segmentation'],
  ])('are missed where %s is alone', async (model, missing) => {
    expect((await told(model)).speakers).toMatch(new RegExp(`^warning: .*${model} .* kind ${missing}$`));
  });

  it('are not told of where one is broken', async () => {
    await makeModel(folder, 'tiny-silero');
    await truncate(join(folder, 'tiny-silero', 'model.onnx'), 10);
    expect(await told()).toEqual({});
  });
});
