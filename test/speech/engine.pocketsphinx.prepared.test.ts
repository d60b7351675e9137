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
import { createDeferred } from '../support/deferred.js';

const neverAborted = new AbortController().signal;
/** Long enough for a busy machine. */
const WAIT_OPTIONS = { timeout: 10_000 };

let folder: string;
let temporary: string;
let engine: PocketsphinxEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-prepared-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const fliteArguments = [
    '-voice',
    'slt',
    '-t',
    'The train leaves at nine.',
    '-o',
    join(folder, 'speech.wav'),
  ];
  await promisify(execFile)('flite', fliteArguments);
  engine = new PocketsphinxEngine({ maxProcesses: 2 });
});

afterAll(async () => {
  await engine.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function transcribe(vocabulary: string[], by = engine): Promise<RecognizedWord[]> {
  const { words } = await by.transcribe(
    { path: join(folder, 'speech.wav'), duration: 0 },
    { vocabulary, signal: neverAborted },
  );
  return words;
}

describe('preloaded pocketsphinx processes', () => {
  it('processes load before the audio is ready and then transcribe it', async () => {
    engine.warmUp(['Kowalczyk']);
    await expect.poll(() => findEnginePids('language.bin'), WAIT_OPTIONS).toHaveLength(2);
    const loading = await findEnginePids();
    expect(await transcribe(['Kowalczyk'])).not.toEqual([]);
    expect(await findEnginePids()).toEqual(loading);
  });

  it('preloading does not evict busy processes', async () => {
    const before = await findEnginePids();
    const cacheLookup = vi.spyOn(VocabularyCache.prototype, 'get');
    const preload = vi.spyOn(PocketsphinxPool.prototype, 'preload');
    onTestFinished(() => {
      for (const spy of [cacheLookup, preload]) spy.mockRestore();
    });
    const transcription = transcribe(['Kowalczyk']);
    engine.warmUp([]);
    await vi.waitUntil(() => cacheLookup.mock.calls.some(([terms]) => terms.length === 0), WAIT_OPTIONS);
    await nextEventLoopTurn();
    expect(preload).not.toHaveBeenCalled();
    expect(await transcription).not.toEqual([]);
    expect(await findEnginePids()).toEqual(before);
  });

  it('preloading does not exceed the process limit', async () => {
    const other = new PocketsphinxEngine({ maxProcesses: 2 });
    onTestFinished(() => other.close());
    await transcribe([], other);
    const started = vi.spyOn(PocketsphinxProcess, 'start');
    onTestFinished(() => started.mockRestore());
    const before = await findEnginePids();
    other.warmUp(['Kowalczyk']);
    await vi.waitUntil(
      () => started.mock.settledResults.filter(({ type }) => type === 'fulfilled').length === 2,
      WAIT_OPTIONS,
    );
    expect((await findEnginePids()).length).toBe(before.length + 1);
  });

  it('closing the engine waits for processes that are starting', async () => {
    const [creationStarted, continueCreation] = [createDeferred(), createDeferred()];
    const create = ProcessWorkspace.create.bind(ProcessWorkspace);
    const heldCreation = vi.spyOn(ProcessWorkspace, 'create').mockImplementation(async (...args) => {
      creationStarted.resolve();
      await continueCreation.promise;
      return create(...args);
    });
    onTestFinished(() => heldCreation.mockRestore());
    const other = new PocketsphinxEngine();
    other.warmUp([]);
    await creationStarted.promise;
    let closed = false;
    const closing = other.close().then(() => (closed = true));
    await nextEventLoopTurn();
    expect(closed).toBe(false);
    continueCreation.resolve();
    await closing;
    await engine.close();
    expect(await findRunningProcesses(temporary)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
