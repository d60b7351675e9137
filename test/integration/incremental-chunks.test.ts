import { createAccount } from '@app/billing';
import { inTransaction } from '@app/database';
import { cancelJob, buildChunkStageName, type StageRunner, type StageHandler } from '@app/jobs';
import {
  AuxiliaryModelError,
  type ChunkTranscription,
  type SpeechEngine,
  type SpeechDetector,
} from '@app/speech';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { buildChunkWork } from '../support/build-chunk-work.js';
import { createDeferred } from '../support/deferred.js';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { NO_MODELS } from '../support/no-models.js';
import { memoryStore as store } from '../support/memory-store.js';
import { createAudioSource } from '../support/audio-source.js';
import { TEST_ENGINE } from '../support/test-engine.js';
import { withCallbackBeforeCommit } from '../support/with-callback-before-commit.js';

type Result = ReturnType<StageRunner['run']>;

const { signal } = new AbortController();

/** Three sections of synthetic speech, each a chunk of its own; the second ends before 8 s of 22 s. */
const source = createAudioSource(
  [2, 1.5, 2.5]
    .reduce((sound, length) => sound.babble(length, 8000).silence(3), new SyntheticSoundBuilder().silence(1))
    .silence(6)
    .samples(),
);

let world: World;
/** Durations in seconds of the chunks that the engine received. */
let transcribedSeconds: number[];
let job: JobRows;
beforeAll(async () => {
  world = await createJobWorld();
  job = new JobRows(world);
});
/** Vocabularies that the engine was prepared for. */
let prepared: (readonly string[])[];
beforeEach(() => ([transcribedSeconds, prepared] = [[], []]));
afterAll(() => world.close());

const engine = {
  ...TEST_ENGINE,
  transcribe: async ({ duration }): Promise<ChunkTranscription> => {
    transcribedSeconds.push(duration);
    return { language: 'en', words: [] };
  },
  warmUp: (terms) => void prepared.push(terms),
} as Omit<SpeechEngine, 'check' | 'close'> as SpeechEngine;
const chunk = new ChunkStage(store, engine, NO_MODELS);
const transcribeChunk: StageHandler = (stage, stop) => buildChunkWork(world.runner(), chunk)(stage, stop);

interface ChunkingOptions {
  /** Number of chunks of the first dispatch. */
  first?: number;
  speechDetector?: SpeechDetector | null;
  /** Called after a dispatch, before chunking continues. */
  onDispatched: () => Promise<unknown>;
}

function chunkAudio({ first = 2, speechDetector = null, onDispatched }: ChunkingOptions): StageHandler {
  const options = {
    ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
    concurrency: { chunk: first },
  } as ProcessorOptions;
  const stage = new PreprocessStage(
    source,
    store,
    world.hooks,
    options,
    { speechDetector, speakerFeatureExtractor: null },
    engine,
  );
  return (claimed, stop, commitPartialResult) =>
    stage.work(claimed, stop, async (part) => {
      await commitPartialResult(part);
      await onDispatched();
    });
}

const runPreprocess = (id: string, work: StageHandler) => world.run(id, 'preprocess', signal, work);
const runChunk = (id: string, index: number, work = transcribeChunk) =>
  world.run(id, buildChunkStageName(index), signal, work);

/** A worker that has transcribed the chunk; `commit` writes the result. */
async function startChunk(id: string, index: number): Promise<{ commit: () => Result }> {
  const [transcribed, end] = [createDeferred(), createDeferred()];
  const result = runChunk(id, index, async (...args) => {
    const commit = await transcribeChunk(...args);
    transcribed.resolve();
    await end.promise;
    return commit;
  });
  await transcribed.promise;
  return {
    commit: () => {
      end.resolve();
      return result;
    },
  };
}

const ALL_STEPS = ['1 of 5: preprocess', '2 of 5: chunk:0', '3 of 5: chunk:1', '4 of 5: chunk:2'];

describe('chunks that are dispatched before chunking has ended', () => {
  it('the chunks are transcribed, and progress is reported when their number is known', async () => {
    const id = await world.newJob();
    const onDispatched = async () => {
      expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:1']);
      for (const index of [0, 1]) expect(await runChunk(id, index)).toBe('committed');
      expect(await job.stageNames(id, 'pending')).toEqual([]);
      expect(await job.progressEvents(id)).toEqual([]);
    };
    expect(await runPreprocess(id, chunkAudio({ onDispatched }))).toBe('committed');
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS.slice(0, 3));
    expect(await runChunk(id, 2)).toBe('committed');
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS);
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
  });

  it('the chunks keep their lease and result when chunking dies and is repeated', async () => {
    const id = await world.newJob();
    const running: Awaited<ReturnType<typeof startChunk>>[] = [];
    const failAfterDispatch = async () => {
      await runChunk(id, 0);
      running.push(await startChunk(id, 1));
      throw new Error('killed');
    };
    expect(await runPreprocess(id, chunkAudio({ onDispatched: failAfterDispatch }))).toBe('released');
    expect(await runPreprocess(id, chunkAudio({ onDispatched: async () => undefined }))).toBe('committed');
    expect(await running[0]?.commit()).toBe('committed');
    expect(await runChunk(id, 2)).toBe('committed');
    expect(transcribedSeconds).toHaveLength(3);
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS);
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
  });

  it('the chunks restart when the repeated chunking differs, and surplus chunks are dropped', async () => {
    const id = await world.newJob();
    const outdated: Awaited<ReturnType<typeof startChunk>>[] = [];
    const onDispatched = async () => {
      await runChunk(id, 1);
      for (const index of [0, 3]) outdated.push(await startChunk(id, index));
    };
    const speechDetector = createDetectorOfFiveSections();
    expect(await runPreprocess(id, chunkAudio({ first: 4, speechDetector, onDispatched }))).toBe('committed');
    for (const { commit } of outdated) expect(await commit()).toBe('stale');
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS.slice(0, 1));
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
    expect(await job.stageNames(id, 'done')).toEqual(['preprocess']);
  });

  it('the chunks keep their audio when the file is chunked again', async () => {
    const id = await world.newJob();
    const dispatched = new Map<string, Buffer>();
    const onDispatched = async () => {
      if (dispatched.size > 0) return;
      for (const key of await job.chunkKeys(id)) dispatched.set(key, readObject(key));
    };
    const speechDetector = createDetectorOfFiveSections();
    expect(await runPreprocess(id, chunkAudio({ first: 4, speechDetector, onDispatched }))).toBe('committed');
    expect(dispatched.size).toBe(4);
    for (const [key, audio] of dispatched) expect(audio.equals(readObject(key)), key).toBe(true);
  });

  it('the chunks are dispatched after the engine was prepared for the terms of the job', async () => {
    const id = await world.newJob();
    const terms = ['Kowalczyk'];
    const work = chunkAudio({ onDispatched: async () => expect(prepared).toEqual([terms]) });
    const withTerms: StageHandler = (stage, ...rest) => {
      const options = { ...stage.job.options, custom_vocabulary: terms };
      return work({ ...stage, job: { ...stage.job, options } }, ...rest);
    };
    expect(await runPreprocess(id, withTerms)).toBe('committed');
    expect(prepared).toEqual([terms]);
  });

  it('the chunks are not dispatched for an account that cannot pay for them', async () => {
    const id = await createJobOfAccountWith(5);
    const onDispatched = async () => expect(await job.stageNames(id, 'pending')).toEqual([]);
    expect(await runPreprocess(id, chunkAudio({ onDispatched }))).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'billing' });
    expect(await job.ledgerEntries(id)).toEqual([]);
  });

  it('the chunks are neither reported nor charged when the account cannot pay for the whole file', async () => {
    const id = await createJobOfAccountWith(15);
    const onDispatched = async () => expect(await runChunk(id, 0)).toBe('committed');
    expect(await runPreprocess(id, chunkAudio({ onDispatched }))).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'billing' });
    expect(await job.stageNames(id, 'dropped')).toEqual(['chunk:1', 'preprocess']);
    expect(await job.ledgerEntries(id)).toEqual([]);
  });

  it('the chunks and the chunking end when the job is cancelled, and only transcribed audio is charged', async () => {
    const id = await world.newJob();
    const onDispatched = async () => {
      await runChunk(id, 0);
      const cancelled = inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id));
      expect(await cancelled).toBe(true);
    };
    expect(await runPreprocess(id, chunkAudio({ onDispatched }))).toBe('stale');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'cancelled' });
    expect(await job.stageNames(id, 'dropped')).toEqual(['chunk:1', 'preprocess']);
    expect(await job.ledgerEntries(id)).toEqual(['hold -3', 'release 3', 'capture -3']);
  });
});

describe('a last chunk that completes concurrently with chunking', () => {
  it('aggregation is enqueued once when chunking commits first', async () => {
    const id = await world.newJob();
    const last: Awaited<ReturnType<typeof startChunk>>[] = [];
    const onDispatched = async () => {
      for (const index of [0, 1]) await runChunk(id, index);
      last.push(await startChunk(id, 2));
    };
    let committed: Result | undefined;
    const ending = withCallbackBeforeCommit(chunkAudio({ first: 3, onDispatched }), async () => {
      committed = last[0]?.commit();
      await world.waitForBlockedTransaction();
    });
    expect(await runPreprocess(id, ending)).toBe('committed');
    expect(await committed).toBe('committed');
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS);
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
  });

  it('aggregation is enqueued once when the chunk commits first', async () => {
    const id = await world.newJob();
    const written = createDeferred();
    const committing = withCallbackBeforeCommit(transcribeChunk, async () => {
      written.resolve();
      await world.waitForBlockedTransaction();
    });
    let committed: Result | undefined;
    const onDispatched = async () => {
      for (const index of [0, 1]) await runChunk(id, index);
      committed = runChunk(id, 2, committing);
      await written.promise;
    };
    expect(await runPreprocess(id, chunkAudio({ first: 3, onDispatched }))).toBe('committed');
    expect(await committed).toBe('committed');
    expect(await job.progressEvents(id)).toEqual(ALL_STEPS);
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
  });
});

/** A model that detects speech at five times and then fails. */
const readObject = (key: string): Buffer => store.objects.get(key) ?? expect.unreachable(key);

function createDetectorOfFiveSections(): SpeechDetector {
  const moments = [1, 3.5, 6, 8.5, 11];
  const results = [moments.map((at) => ({ start: at * 16_000, end: (at + 0.2) * 16_000 }))];
  return { detect: async () => results.shift() ?? Promise.reject(new AuxiliaryModelError('broken')) };
}

async function createJobOfAccountWith(credits: number): Promise<string> {
  const accountId = await inTransaction(world.dataSource, (tx) => createAccount(tx, 'poor', credits));
  return world.newJob({ of: accountId });
}
