import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HeardWord, PocketsphinxEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Recogniser } from '../../libs/speech/src/engine/pocketsphinx/recogniser.js';
import { Recognisers } from '../../libs/speech/src/engine/pocketsphinx/recognisers.js';
import { ExtendedModels } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/extended-models.js';
import { Vocabularies } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/vocabularies.js';
import { pids, remains, turnOfTheLoop } from '../support/engine-processes.js';
import { gate } from '../support/gate.js';

const never = new AbortController().signal;
/** On a busy machine. */
const WAIT = { timeout: 10_000 };

let folder: string;
let temporary: string;
let engine: PocketsphinxEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-prepared-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const said = ['-voice', 'slt', '-t', 'The train leaves at nine.', '-o', join(folder, 'speech.wav')];
  await promisify(execFile)('flite', said);
  engine = new PocketsphinxEngine({ processes: 2 });
});

afterAll(async () => {
  await engine.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function hear(vocabulary: string[], by = engine): Promise<HeardWord[]> {
  const { words } = await by.transcribe(
    { path: join(folder, 'speech.wav'), duration: 0 },
    { vocabulary, signal: never },
  );
  return words;
}

describe('processes that are prepared', () => {
  it('load before there is sound, and hear it then', async () => {
    engine.prepareFor(['Kowalczyk']);
    await expect.poll(() => pids('language.bin'), WAIT).toHaveLength(2);
    const loading = await pids();
    expect(await hear(['Kowalczyk'])).not.toEqual([]);
    expect(await pids()).toEqual(loading);
  });

  it('are not taken from those that are heard', async () => {
    const before = await pids();
    const lookedUp = vi.spyOn(Vocabularies.prototype, 'of');
    const prepare = vi.spyOn(Recognisers.prototype, 'prepare');
    onTestFinished(() => {
      for (const spy of [lookedUp, prepare]) spy.mockRestore();
    });
    const heard = hear(['Kowalczyk']);
    engine.prepareFor([]);
    await vi.waitUntil(() => lookedUp.mock.calls.some(([terms]) => terms.length === 0), WAIT);
    await turnOfTheLoop();
    expect(prepare).not.toHaveBeenCalled();
    expect(await heard).not.toEqual([]);
    expect(await pids()).toEqual(before);
  });

  it('are no more than was said when another is there', async () => {
    const other = new PocketsphinxEngine({ processes: 2 });
    onTestFinished(() => other.close());
    await hear([], other);
    const started = vi.spyOn(Recogniser, 'start');
    onTestFinished(() => started.mockRestore());
    const before = await pids();
    other.prepareFor(['Kowalczyk']);
    await vi.waitUntil(
      () => started.mock.settledResults.filter(({ type }) => type === 'fulfilled').length === 2,
      WAIT,
    );
    expect((await pids()).length).toBe(before.length + 1);
  });

  it('are waited for when the engine is closed while they start', async () => {
    const [begun, go] = [gate(), gate()];
    const { lend } = ExtendedModels.prototype;
    const held = vi.spyOn(ExtendedModels.prototype, 'lend').mockImplementation(async function (
      this: ExtendedModels,
      ...given
    ) {
      begun.open();
      await go.opened;
      return lend.apply(this, given);
    });
    onTestFinished(() => held.mockRestore());
    const other = new PocketsphinxEngine();
    other.prepareFor([]);
    await begun.opened;
    let closed = false;
    const closing = other.close().then(() => (closed = true));
    await turnOfTheLoop();
    expect(closed).toBe(false);
    go.open();
    await closing;
    await engine.close();
    expect(await remains(temporary)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
