import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  buildUploadedAudioKey,
  buildChunkStageName,
  type StageName,
  type StageRunner,
  type StageHandler,
  buildWorkPrefix,
} from '@app/jobs';
import type { AuxiliaryModels, ChunkTranscription, SpeechEngine } from '@app/speech';
import type { OutboundClient } from '@app/outbound';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { FetchStage } from '../../apps/processor/src/fetch/fetch.stage.js';
import { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { buildChunkWork } from '../support/build-chunk-work.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createDeferred } from '../support/deferred.js';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { NO_MODELS } from '../support/no-models.js';
import { createAudioSource } from '../support/audio-source.js';
import { TEST_ENGINE } from '../support/test-engine.js';

const { signal } = new AbortController();
const AUDIO_MISSING = /^The audio is no longer there: /;

/** Three sections of synthetic speech, each a chunk of its own. */
const source = createAudioSource(
  [2, 1.5, 2.5]
    .reduce((sound, length) => sound.babble(length, 8000).silence(3), new SyntheticSoundBuilder().silence(1))
    .samples(),
);
const engine = {
  ...TEST_ENGINE,
  transcribe: async (): Promise<ChunkTranscription> => ({ language: 'en', words: [] }),
} as Omit<SpeechEngine, 'check' | 'close'> as SpeechEngine;

let world: World;
let files: ThrowawayStore;
let job: JobRows;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
  job = new JobRows(world);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

const chunkWork: StageHandler = (stage, stop) =>
  buildChunkWork(world.runner(), new ChunkStage(files.store, engine, NO_MODELS))(stage, stop);
let models: Pick<AuxiliaryModels, 'speechDetector' | 'speakerFeatureExtractor'>;
beforeEach(() => void (models = NO_MODELS));
const preprocessWork: StageHandler = (...args) => {
  const options = { chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0, concurrency: { chunk: 9 } };
  return new PreprocessStage(source, files.store, world.hooks, options as ProcessorOptions, models, {}).work(
    ...args,
  );
};
const run = (id: string, name: StageName, work: StageHandler, by?: StageRunner) =>
  world.run(id, name, signal, work, by);
const runPreprocess = (id: string) => run(id, 'preprocess', preprocessWork);
const runChunk = (id: string, index: number, work = chunkWork, by?: StageRunner) =>
  run(id, buildChunkStageName(index), work, by);
const deleteWorkObjects = (id: string) => files.store.deletePrefix(buildWorkPrefix(id));

/** Creates a job with three chunks and stored audio. */
async function createChunkedJob(): Promise<string> {
  const id = await world.newJob();
  await files.putBytes(buildUploadedAudioKey(id));
  expect(await runPreprocess(id)).toBe('committed');
  expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
  return id;
}

describe('a chunk whose audio is missing from the store', () => {
  it('the job restarts from the uploaded audio, and completed chunks are kept and counted once', async () => {
    const id = await createChunkedJob();
    expect(await runChunk(id, 1)).toBe('committed');
    await deleteWorkObjects(id);
    expect(await runChunk(id, 0)).toBe('released');
    expect(await job.stageNames(id, 'pending')).toEqual(['preprocess']);
    expect(await runPreprocess(id)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:2']);
    for (const index of [0, 2]) expect(await runChunk(id, index)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
    expect(await job.progressEvents(id)).toEqual([
      '1 of 5: preprocess',
      '2 of 5: chunk:1',
      '3 of 5: chunk:0',
      '4 of 5: chunk:2',
    ]);
    expect(await job.ledgerEntries(id)).toHaveLength(1);
  });

  it('the chunk that describes the speakers of all chunks is kept if it is completed', async () => {
    models = { ...NO_MODELS, speakerFeatureExtractor: {} as AuxiliaryModels['speakerFeatureExtractor'] };
    const id = await createChunkedJob();
    expect(await world.rows(DESCRIBING_CHUNKS, id)).toEqual([{ name: 'chunk:2', chunks: 3 }]);
    expect(await runChunk(id, 2)).toBe('committed');
    await deleteWorkObjects(id);
    expect(await runChunk(id, 0)).toBe('released');
    expect(await runPreprocess(id)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:1']);
    for (const index of [0, 1]) expect(await runChunk(id, index)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
  });

  it('the job fails with a readable reason when the uploaded audio is missing too', async () => {
    const id = await createChunkedJob();
    await deleteWorkObjects(id);
    await files.store.delete(buildUploadedAudioKey(id));
    expect(await runChunk(id, 0)).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'chunk:0' });
    const row = await world.row<{ reason: string }>('SELECT reason FROM job WHERE id = $1', id);
    expect(row?.reason).toMatch(AUDIO_MISSING);
  });

  it('the job restarts a limited number of times', async () => {
    const id = await createChunkedJob();
    for (let restart = 0; restart < 2; restart += 1) {
      await deleteWorkObjects(id);
      expect(await runChunk(id, 0)).toBe('released');
      expect(await runPreprocess(id)).toBe('committed');
    }
    await deleteWorkObjects(id);
    expect(await runChunk(id, 0)).toBe('failed');
    const row = await world.row<{ reason: string }>('SELECT reason FROM job WHERE id = $1', id);
    expect(row?.reason).toMatch(/ lost several times; it was given up\.$/);
  });

  it('the job restarts once, however many chunks miss their audio', async () => {
    const id = await createChunkedJob();
    const [started, end] = [createDeferred(), createDeferred()];
    const outdated = runChunk(id, 2, async (...args) => {
      started.resolve();
      await end.promise;
      return chunkWork(...args);
    });
    await started.promise;
    await deleteWorkObjects(id);
    expect(await runChunk(id, 0)).toBe('released');
    end.resolve();
    expect(await outdated).toBe('stale');
    const [preprocess] = await world.rows(
      `SELECT state, fence, attempts FROM job_stage WHERE job_id = $1 AND name = 'preprocess'`,
      id,
    );
    expect(preprocess).toEqual({ state: 'pending', fence: 2, attempts: 1 });
  });

  it('the chunk waits for running chunking, which stores its audio again', async () => {
    const id = await world.newJob();
    await files.putBytes(buildUploadedAudioKey(id));
    const interleavedPreprocess: StageHandler = async (...args) => {
      const commit = await preprocessWork(...args);
      const [, , commitPartialResult] = args;
      await commitPartialResult((tx) => tx.query(DISPATCH_CHUNK, [id]).then(() => undefined));
      expect(await runChunk(id, 0)).toBe('released');
      expect(await job.stageNames(id, 'pending')).toEqual([]);
      return commit;
    };
    expect(await run(id, 'preprocess', interleavedPreprocess)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
  });

  it('a worker that lost its lease does not restart the job', async () => {
    const id = await createChunkedJob();
    const losesLease: StageHandler = async (...args) => {
      await world.loseLease(id);
      await deleteWorkObjects(id);
      return chunkWork(...args);
    };
    expect(await runChunk(id, 0, losesLease)).toBe('stale');
    expect(await job.stageNames(id, 'done')).toEqual(['preprocess']);
  });
});

/** Chunks with the number of those whose speakers they describe. */
const DESCRIBING_CHUNKS = `
  SELECT name, jsonb_array_length(input->'speakerBlock'->'chunks') AS chunks FROM job_stage
  WHERE job_id = $1 AND input->'speakerBlock' ? 'chunks'`;

/** Dispatches a chunk whose object is missing. */
const DISPATCH_CHUNK = `
  INSERT INTO job_stage (job_id, account_id, name, queue, input)
  SELECT id, account_id, 'chunk:0', 'chunk', '{"key": "work/gone", "start": 0, "end": 1, "speech": []}' FROM job WHERE id = $1`;

describe('missing source audio', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-audio-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const FETCH_OPTIONS = {
    ...{ audioBytes: 100, audioFetchSeconds: 10 },
    ...{ diskReserveBytes: 0, storedBytesQuota: 1e12 },
  } as ProcessorOptions;
  const fetchedUrls: string[] = [];
  beforeEach(() => void fetchedUrls.splice(0));
  const outbound = {
    fetchAudio: async (url: string) => {
      fetchedUrls.push(url);
      return { body: Readable.from([Buffer.from('the audio')]) };
    },
  } as unknown as OutboundClient;
  const fetchWork: StageHandler = (stage, stop) =>
    new FetchStage(files.store, outbound, FETCH_OPTIONS, world.dataSource).work(stage, stop);
  const readAudioWork: StageHandler = async (stage, stop) => {
    await new StoredJobAudioDownloader(files.store, FETCH_OPTIONS).fetchToFile(
      stage,
      join(folder, stage.jobId),
      stop,
    );
    return async (tx) => void (await tx.query('SELECT'));
  };
  /** Turns an uploaded job into one of an `audio_url`, as it is when preprocess is due. */
  async function createUrlJob(storedSize: number | null): Promise<string> {
    const id = await world.newJob();
    await world.rows(
      `UPDATE job SET audio_url = 'http://a.example/a', audio_key = $2, stored_size = $3, stored_etag = 'e' WHERE id = $1`,
      id,
      `${buildWorkPrefix(id)}f1/audio`,
      storedSize,
    );
    return id;
  }

  it('a missing upload fails the job with a readable reason', async () => {
    const id = await world.newJob();
    expect(await run(id, 'preprocess', readAudioWork)).toBe('failed');
    const row = await world.row<{ reason: string }>('SELECT reason FROM job WHERE id = $1', id);
    expect(row?.reason).toMatch(AUDIO_MISSING);
  });

  it.each([
    ['missing audio that came from a URL is fetched again', 3],
    ['audio of a job that an older version queued is fetched first', null],
  ])('%s', async (_, storedSize) => {
    const id = await createUrlJob(storedSize);
    expect(await run(id, 'preprocess', readAudioWork)).toBe('released');
    expect(await job.stageNames(id, 'pending')).toEqual(['fetch']);
    expect(await run(id, 'fetch', fetchWork)).toBe('committed');
    expect(await run(id, 'preprocess', readAudioWork)).toBe('committed');
    expect(fetchedUrls).toEqual(['http://a.example/a']);
  });

  it('the job fails when the fetched audio is lost again and again', async () => {
    const id = await createUrlJob(null);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await run(id, 'preprocess', readAudioWork)).toBe('released');
      expect(await run(id, 'fetch', fetchWork)).toBe('committed');
      await deleteWorkObjects(id);
    }
    expect(await run(id, 'preprocess', readAudioWork)).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'preprocess' });
  });
});
