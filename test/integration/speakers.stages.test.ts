import { fileURLToPath } from 'node:url';
import { inTransaction } from '@app/database';
import {
  buildChunkStageName,
  type ClaimedStage,
  completeStage,
  buildFailedOutcome,
  scheduleChunksOrAggregation,
  endJob,
  type JobOptions,
  type NewStage,
  type StageHandler,
} from '@app/jobs';
import { chunkAudioToSink, type ChunkTranscription, type SpeechEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { buildChunkWork } from '../support/build-chunk-work.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store } from '../support/memory-store.js';
import { NO_MODELS } from '../support/no-models.js';
import { aggregate } from '../support/transcribe-by-stages.js';

const SAMPLE = fileURLToPath(new URL('../../assets/sample/dialogue.mp3', import.meta.url));
const { signal } = new AbortController();

/** Recognizes the same word every second, so that only the speakers differ. */
const engine = {
  capabilities: { languages: ['en'], wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'test', model: null, version: null }),
  transcribe: async ({ duration }): Promise<ChunkTranscription> => ({
    language: 'en',
    words: Array.from({ length: Math.floor(duration) }, (_, second) => ({
      text: `word${second}`,
      start: second + 0.3,
      end: second + 0.7,
      confidence: null,
      language: null,
    })),
  }),
} as Pick<SpeechEngine, 'capabilities' | 'identity' | 'transcribe'> as SpeechEngine;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

describe('speaker labels across the stages of a job', () => {
  it('speakers are labelled, and voice features and words are deleted after aggregation', async () => {
    const jobId = await createTranscribedJob();
    expect(await countStoredVoices(jobId)).toBeGreaterThan(0);
    const document = await aggregate(world, jobId, engine);
    expect(document.speakers.map(({ id }) => id)).toEqual(['SPEAKER_1', 'SPEAKER_2']);
    expect(document.warnings).toEqual([]);
    expect(await countStoredVoices(jobId)).toBe(0);
    expect(await countStoredResults(jobId)).toBe(0);
  });

  it('a warning says that fewer speakers were found than the options say', async () => {
    const { speakers, warnings } = await aggregate(
      world,
      await createTranscribedJob({ num_speakers: 100 }),
      engine,
    );
    expect(warnings).toEqual([
      {
        code: 'speaker_count',
        message: `num_speakers is 100, but ${speakers.length} speakers were found.`,
        segment_id: null,
      },
    ]);
  });

  it('voice features and words are deleted when the job fails before aggregation', async () => {
    const jobId = await createTranscribedJob();
    expect(await countStoredVoices(jobId)).toBeGreaterThan(0);
    await inTransaction(world.dataSource, (tx) =>
      endJob(tx, world.hooks, jobId, buildFailedOutcome('aggregation', 'x')),
    );
    expect(await countStoredResults(jobId)).toBe(0);
    const states = await world.rows('SELECT DISTINCT state FROM job_stage WHERE job_id = $1', jobId);
    expect(states).toEqual(expect.arrayContaining([{ state: 'done' }, { state: 'dropped' }]));
  });

  it('an unreadable voice features yields the transcript without speakers and a warning', async () => {
    const jobId = await createTranscribedJob();
    await world.rows(
      `UPDATE job_stage SET result = jsonb_set(result, '{voices}', '"garbage"') WHERE job_id = $1 AND queue = 'chunk'`,
      jobId,
    );
    const document = await aggregate(world, jobId, engine);
    expect(document.segments.length).toBeGreaterThan(0);
    expect(document.speakers).toEqual([]);
    expect(document.warnings.map(({ code }) => code)).toEqual(['speakers_unavailable']);
  });
});

/** Creates a job of the bundled sample with every chunk transcribed. */
async function createTranscribedJob(options: Partial<JobOptions> = {}): Promise<string> {
  const jobId = await world.newJob();
  await world.rows(
    'UPDATE job SET options = options || $2::jsonb WHERE id = $1',
    jobId,
    JSON.stringify(options),
  );
  let chunks = 0;
  const preprocess: StageHandler = async (stage) => {
    const stages = await chunkSample(stage);
    chunks = stages.length;
    return async (tx) => {
      await tx.query('UPDATE job SET duration = 64.4, steps_total = $2 WHERE id = $1', [jobId, chunks + 1]);
      await completeStage(tx, stage, {});
      await scheduleChunksOrAggregation(tx, jobId, stages);
    };
  };
  await world.run(jobId, 'preprocess', signal, preprocess);
  const chunkWork = buildChunkWork(world.runner(), new ChunkStage(store, engine, NO_MODELS));
  for (let index = 0; index < chunks; index += 1) {
    await world.run(jobId, buildChunkStageName(index), signal, chunkWork);
  }
  return jobId;
}

async function chunkSample({ jobId }: ClaimedStage): Promise<NewStage[]> {
  const stages: NewStage[] = [];
  await chunkAudioToSink({ path: SAMPLE, signal }, async ({ index, start, end, wav }) => {
    const key = `${jobId}/${index}`;
    store.objects.set(key, wav);
    stages.push({ name: buildChunkStageName(index), chunkIndex: index, input: { key, start, end } });
  });
  return stages;
}

async function countStoredResults(jobId: string): Promise<number> {
  const rows = await world.rows('SELECT FROM job_stage WHERE job_id = $1 AND result IS NOT NULL', jobId);
  return rows.length;
}

/** Number of chunks with a stored voice features. */
async function countStoredVoices(jobId: string): Promise<number> {
  const row = await world.row<{ kept: string }>(
    `SELECT count(*) AS kept FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND result ? 'voices'`,
    jobId,
  );
  return Number(row?.kept);
}
