import { createAccount } from '@app/billing';
import { inTransaction } from '@app/database';
import { cancelJob, buildChunkStageName, type StageRunner, type StageWork } from '@app/jobs';
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
import { SyntheticSound } from '../../libs/speech/src/vad/testing/synthetic-sound.js';
import { createGate } from '../support/gate.js';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store } from '../support/memory-store.js';
import { createAudioSource } from '../support/audio-source.js';

type Result = ReturnType<StageRunner['run']>;

const { signal } = new AbortController();

/** Three sections of synthetic speech, each a chunk of its own; the second ends before 8 s of 22 s. */
const source = createAudioSource(
  [2, 1.5, 2.5]
    .reduce((sound, length) => sound.babble(length, 8000).silence(3), new SyntheticSound().silence(1))
    .silence(6)
    .samples(),
);

let world: World;
/** Durations in seconds of the chunks that the engine received. */
let heard: number[];
let job: JobRows;
beforeAll(async () => {
  world = await createJobWorld();
  job = new JobRows(world);
});
/** Vocabularies that the engine was prepared for. */
let prepared: (readonly string[])[];
beforeEach(() => ([heard, prepared] = [[], []]));
afterAll(() => world.close());

const engine = {
  transcribe: async ({ duration }): Promise<ChunkTranscription> => {
    heard.push(duration);
    return { language: 'en', words: [] };
  },
  warmUp: (terms) => void prepared.push(terms),
} as Pick<SpeechEngine, 'transcribe' | 'warmUp'> as SpeechEngine;
const chunk = new ChunkStage(store, engine, { speakerFeatureExtractor: null, languageIdentifier: null });
const hearing: StageWork = (stage, stop) => chunk.work(stage, stop);

interface CutWish {
  /** Number of chunks of the first dispatch. */
  first?: number;
  finder?: SpeechDetector | null;
  /** Called after a dispatch, before chunking continues. */
  handedOut: () => Promise<unknown>;
}

function cutting({ first = 2, finder = null, handedOut }: CutWish): StageWork {
  const options = {
    ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
    concurrency: { chunk: first },
  } as ProcessorOptions;
  const stage = new PreprocessStage(source, store, world.hooks, options, { speechDetector: finder }, engine);
  return (claimed, stop, commitPartialResult) =>
    stage.work(claimed, stop, async (part) => {
      await commitPartialResult(part);
      await handedOut();
    });
}

/** Work with a callback at the end of its transaction. */
const before =
  (work: StageWork, end: () => Promise<unknown>): StageWork =>
  async (...given) => {
    const commit = await work(...given);
    return async (tx) => {
      await commit(tx);
      await end();
    };
  };

const cut = (id: string, work: StageWork) => world.run(id, 'preprocess', signal, work);
const hear = (id: string, index: number, work = hearing) =>
  world.run(id, buildChunkStageName(index), signal, work);

/** A worker that has transcribed the chunk; `commit` writes the result. */
async function holding(id: string, index: number): Promise<{ commit: () => Result }> {
  const [begun, end] = [createGate(), createGate()];
  const result = hear(id, index, async (...given) => {
    const commit = await hearing(...given);
    begun.open();
    await end.opened;
    return commit;
  });
  await begun.opened;
  return {
    commit: () => {
      end.open();
      return result;
    },
  };
}

const ALL_TOLD = ['1 of 5: preprocess', '2 of 5: chunk:0', '3 of 5: chunk:1', '4 of 5: chunk:2'];

describe('chunks that are dispatched before chunking has ended', () => {
  it('the chunks are transcribed, and progress is reported when their number is known', async () => {
    const id = await world.newJob();
    const handedOut = async () => {
      expect(await job.stages(id, 'pending')).toEqual(['chunk:0', 'chunk:1']);
      for (const index of [0, 1]) expect(await hear(id, index)).toBe('committed');
      expect(await job.stages(id, 'pending')).toEqual([]);
      expect(await job.told(id)).toEqual([]);
    };
    expect(await cut(id, cutting({ handedOut }))).toBe('committed');
    expect(await job.told(id)).toEqual(ALL_TOLD.slice(0, 3));
    expect(await hear(id, 2)).toBe('committed');
    expect(await job.told(id)).toEqual(ALL_TOLD);
    expect(await job.stages(id, 'pending')).toEqual(['aggregation']);
  });

  it('the chunks keep their lease and result when chunking dies and is repeated', async () => {
    const id = await world.newJob();
    const held: Awaited<ReturnType<typeof holding>>[] = [];
    const dying = async () => {
      await hear(id, 0);
      held.push(await holding(id, 1));
      throw new Error('killed');
    };
    expect(await cut(id, cutting({ handedOut: dying }))).toBe('returned');
    expect(await cut(id, cutting({ handedOut: async () => undefined }))).toBe('committed');
    expect(await held[0]?.commit()).toBe('committed');
    expect(await hear(id, 2)).toBe('committed');
    expect(heard).toHaveLength(3);
    expect(await job.told(id)).toEqual(ALL_TOLD);
    expect(await job.stages(id, 'pending')).toEqual(['aggregation']);
  });

  it('the chunks restart when the repeated chunking differs, and surplus chunks are dropped', async () => {
    const id = await world.newJob();
    const late: Awaited<ReturnType<typeof holding>>[] = [];
    const handedOut = async () => {
      await hear(id, 1);
      for (const index of [0, 3]) late.push(await holding(id, index));
    };
    const finder = findsFiveOnce();
    expect(await cut(id, cutting({ first: 4, finder, handedOut }))).toBe('committed');
    for (const { commit } of late) expect(await commit()).toBe('stale');
    expect(await job.told(id)).toEqual(ALL_TOLD.slice(0, 1));
    expect(await job.stages(id, 'pending')).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
    expect(await job.stages(id, 'done')).toEqual(['preprocess']);
  });

  it('the chunks are dispatched after the engine was prepared for the terms of the job', async () => {
    const id = await world.newJob();
    const terms = ['Kowalczyk'];
    const work = cutting({ handedOut: async () => expect(prepared).toEqual([terms]) });
    const withTerms: StageWork = (stage, ...rest) => {
      const options = { ...stage.job.options, custom_vocabulary: terms };
      return work({ ...stage, job: { ...stage.job, options } }, ...rest);
    };
    expect(await cut(id, withTerms)).toBe('committed');
    expect(prepared).toEqual([terms]);
  });

  it('the chunks are not dispatched for an account that cannot pay for them', async () => {
    const id = await jobOfAccountWith(5);
    const handedOut = async () => expect(await job.stages(id, 'pending')).toEqual([]);
    expect(await cut(id, cutting({ handedOut }))).toBe('failed');
    expect(await job.end(id)).toEqual({ status: 'failed', failed_stage: 'billing' });
    expect(await job.entries(id)).toEqual([]);
  });

  it('the chunks are neither reported nor charged when the account cannot pay for the whole file', async () => {
    const id = await jobOfAccountWith(15);
    const handedOut = async () => expect(await hear(id, 0)).toBe('committed');
    expect(await cut(id, cutting({ handedOut }))).toBe('failed');
    expect(await job.end(id)).toEqual({ status: 'failed', failed_stage: 'billing' });
    expect(await job.stages(id, 'dropped')).toEqual(['chunk:1', 'preprocess']);
    expect(await job.entries(id)).toEqual([]);
  });

  it('the chunks and the chunking end when the job is cancelled, and only transcribed audio is charged', async () => {
    const id = await world.newJob();
    const handedOut = async () => {
      await hear(id, 0);
      const cancelled = inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id));
      expect(await cancelled).toBe(true);
    };
    expect(await cut(id, cutting({ handedOut }))).toBe('stale');
    expect(await job.end(id)).toEqual({ status: 'failed', failed_stage: 'cancelled' });
    expect(await job.stages(id, 'dropped')).toEqual(['chunk:1', 'preprocess']);
    expect(await job.entries(id)).toEqual(['hold -3', 'release 3', 'capture -3']);
  });
});

describe('a last chunk that completes concurrently with chunking', () => {
  it('aggregation is enqueued once when chunking commits first', async () => {
    const id = await world.newJob();
    const last: Awaited<ReturnType<typeof holding>>[] = [];
    const handedOut = async () => {
      for (const index of [0, 1]) await hear(id, index);
      last.push(await holding(id, 2));
    };
    let committed: Result | undefined;
    const ending = before(cutting({ first: 3, handedOut }), async () => {
      committed = last[0]?.commit();
      await world.untilSomebodyWaits();
    });
    expect(await cut(id, ending)).toBe('committed');
    expect(await committed).toBe('committed');
    expect(await job.told(id)).toEqual(ALL_TOLD);
    expect(await job.stages(id, 'pending')).toEqual(['aggregation']);
  });

  it('aggregation is enqueued once when the chunk commits first', async () => {
    const id = await world.newJob();
    const written = createGate();
    const committing = before(hearing, async () => {
      written.open();
      await world.untilSomebodyWaits();
    });
    let committed: Result | undefined;
    const handedOut = async () => {
      for (const index of [0, 1]) await hear(id, index);
      committed = hear(id, 2, committing);
      await written.opened;
    };
    expect(await cut(id, cutting({ first: 3, handedOut }))).toBe('committed');
    expect(await committed).toBe('committed');
    expect(await job.told(id)).toEqual(ALL_TOLD);
    expect(await job.stages(id, 'pending')).toEqual(['aggregation']);
  });
});

/** A model that detects speech at five times and then fails. */
function findsFiveOnce(): SpeechDetector {
  const moments = [1, 3.5, 6, 8.5, 11];
  const answers = [moments.map((at) => ({ start: at * 16_000, end: (at + 0.2) * 16_000 }))];
  return { detect: async () => answers.shift() ?? Promise.reject(new AuxiliaryModelError('broken')) };
}

async function jobOfAccountWith(credits: number): Promise<string> {
  const of = await inTransaction(world.dataSource, (tx) => createAccount(tx, 'poor', credits));
  return world.newJob({ of });
}
