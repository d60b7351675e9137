import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addOrRestartStages, buildChunkStageName, type StageName, type StageHandler } from '@app/jobs';
import { inTransaction } from '@app/database';
import { AuxiliaryModelError, type PunctuationMarkPredictor, type SpeechEngine } from '@app/speech';
import type { FetchToFileOptions, ObjectStore } from '@app/storage';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import { buildChunkWork } from '../support/build-chunk-work.js';
import { createTranscribedJob } from '../support/transcribed-job.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { NO_MODELS } from '../support/no-models.js';

let world: World;
let folder: string;
beforeAll(async () => {
  [world, folder] = await Promise.all([createJobWorld(), mkdtemp(join(tmpdir(), 'stopped-stages-'))]);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await world.close();
});

/** Stops the process of the stage. */
let stop: AbortController;
beforeEach(() => void (stop = new AbortController()));

/** Stops the process at once. @returns a promise that rejects when `signal` is aborted */
function stopProcess(signal: AbortSignal | undefined, as: (reason: unknown) => unknown): Promise<never> {
  setImmediate(() => stop.abort(new Error('the consumer is closing')));
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(as(signal.reason))));
}

const engine = {
  capabilities: { languages: ['en'], wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'test', model: null, version: null }),
} as Partial<SpeechEngine> as SpeechEngine;
const store = {
  fetchToFile: (_key: string, _path: string, options?: FetchToFileOptions) =>
    stopProcess(options?.signal, (reason) => reason),
  put: () => expect.unreachable('a transcript was stored'),
} as Partial<ObjectStore> as ObjectStore;

async function expectReleased(jobId: string, name: StageName, work: StageHandler): Promise<void> {
  expect(await world.run(jobId, name, stop.signal, work)).toBe('released');
  const row = await world.row(
    'SELECT state, attempts FROM job_stage WHERE job_id = $1 AND name = $2',
    jobId,
    name,
  );
  expect(row).toEqual({ state: 'pending', attempts: 0 });
}

it('aggregation that is stopped while it waits for a model is released without a counted attempt', async () => {
  const punctuation: PunctuationMarkPredictor = {
    predictMarks: (_, signal) => stopProcess(signal, () => new AuxiliaryModelError('the host was closed')),
  };
  const stage = new AggregationStage(
    world.dataSource,
    store,
    engine,
    world.hooks,
    { punctuator: punctuation },
    new TranscriptFileRenderer(),
  );
  await expectReleased(await createTranscribedJob(world, 50), 'aggregation', (claimed, signal) =>
    stage.work(claimed, signal),
  );
});

it('a chunk that is stopped during its download is released without a counted attempt', async () => {
  const jobId = await world.newJob({ enqueue: false });
  const chunk = { name: buildChunkStageName(0), chunkIndex: 0, input: { key: 'a', start: 0, end: 1 } };
  await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, jobId, [chunk]));
  const chunkWork = buildChunkWork(world.runner(), new ChunkStage(store, engine, NO_MODELS));
  await expectReleased(jobId, 'chunk:0', chunkWork);
});

it('preprocess that is stopped during its download is released without a counted attempt', async () => {
  const source = new StoredJobAudioDownloader(store, { diskReserveBytes: 0 });
  await expectReleased(await world.newJob(), 'preprocess', async (claimed, signal) => {
    await source.fetchToFile(claimed, join(folder, 'audio'), signal);
    return expect.unreachable('it was fetched');
  });
});
