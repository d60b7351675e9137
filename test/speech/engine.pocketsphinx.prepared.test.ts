import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RecognizedWord, PocketsphinxEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PocketsphinxProcess } from '../../libs/speech/src/engine/pocketsphinx/pocketsphinx-process.js';
import { PocketsphinxPool } from '../../libs/speech/src/engine/pocketsphinx/pocketsphinx-pool.js';
import { ProcessWorkspace } from '../../libs/speech/src/engine/pocketsphinx/process-workspace.js';
import { VocabularyCache } from '../../libs/speech/src/engine/pocketsphinx/vocabulary/vocabulary-cache.js';
import { findEnginePids, findRunningProcesses, nextEventLoopTurn } from '../support/engine-processes.js';
import { createGate } from '../support/gate.js';

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
  engine = new PocketsphinxEngine({ maxProcesses: 2 });
});

afterAll(async () => {
  await engine.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function hear(vocabulary: string[], by = engine): Promise<RecognizedWord[]> {
  const { words } = await by.transcribe(
    { path: join(folder, 'speech.wav'), duration: 0 },
    { vocabulary, signal: never },
  );
  return words;
}

describe('preloaded pocketsphinx processes', () => {
  it('processes load before the audio is ready and then transcribe it', async () => {
    engine.warmUp(['Kowalczyk']);
    await expect.poll(() => findEnginePids('language.bin'), WAIT).toHaveLength(2);
    const loading = await findEnginePids();
    expect(await hear(['Kowalczyk'])).not.toEqual([]);
    expect(await findEnginePids()).toEqual(loading);
  });

  it('preloading does not evict busy processes', async () => {
    const before = await findEnginePids();
    const lookedUp = vi.spyOn(VocabularyCache.prototype, 'get');
    const prepare = vi.spyOn(PocketsphinxPool.prototype, 'preload');
    onTestFinished(() => {
      for (const spy of [lookedUp, prepare]) spy.mockRestore();
    });
    const heard = hear(['Kowalczyk']);
    engine.warmUp([]);
    await vi.waitUntil(() => lookedUp.mock.calls.some(([terms]) => terms.length === 0), WAIT);
    await nextEventLoopTurn();
    expect(prepare).not.toHaveBeenCalled();
    expect(await heard).not.toEqual([]);
    expect(await findEnginePids()).toEqual(before);
  });

  it('preloading does not exceed the process limit', async () => {
    const other = new PocketsphinxEngine({ maxProcesses: 2 });
    onTestFinished(() => other.close());
    await hear([], other);
    const started = vi.spyOn(PocketsphinxProcess, 'start');
    onTestFinished(() => started.mockRestore());
    const before = await findEnginePids();
    other.warmUp(['Kowalczyk']);
    await vi.waitUntil(
      () => started.mock.settledResults.filter(({ type }) => type === 'fulfilled').length === 2,
      WAIT,
    );
    expect((await findEnginePids()).length).toBe(before.length + 1);
  });

  it('closing the engine waits for processes that are starting', async () => {
    const [begun, go] = [createGate(), createGate()];
    const create = ProcessWorkspace.create.bind(ProcessWorkspace);
    const held = vi.spyOn(ProcessWorkspace, 'create').mockImplementation(async (...given) => {
      begun.open();
      await go.opened;
      return create(...given);
    });
    onTestFinished(() => held.mockRestore());
    const other = new PocketsphinxEngine();
    other.warmUp([]);
    await begun.opened;
    let closed = false;
    const closing = other.close().then(() => (closed = true));
    await nextEventLoopTurn();
    expect(closed).toBe(false);
    go.open();
    await closing;
    await engine.close();
    expect(await findRunningProcesses(temporary)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
