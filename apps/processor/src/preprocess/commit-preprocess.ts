import { rowsOf } from '@app/database';
import {
  addStages,
  type ChunkInput,
  type ClaimedStage,
  completeStage,
  countStep,
  finishCut,
  type JobEffects,
  type StageCommit,
  StageFailure,
  StaleLease,
} from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { chunkStages } from './chunk-stages.js';

export interface Preprocessed {
  /** Seconds of the whole file. */
  duration: number;
  /** Seconds that the file declares, where clearly fewer could be decoded. */
  declaredSeconds: number | null;
  chunks: ChunkInput[];
  /** False for small files, whose first announced step is a chunk. */
  announced: boolean;
  effects: JobEffects;
}

/**
 * Makes the chunks so far due while the rest is still cut. Nothing is set aside for them, so an account that could not pay
 * for this much gets none before the end, which decides.
 */
export function handOut(stage: ClaimedStage, chunks: ChunkInput[], effects: JobEffects): StageCommit {
  const { jobId, accountId } = stage;
  return async (tx) => {
    const seconds = chunks.at(-1)?.end ?? 0;
    if (await effects.couldPay(tx, { accountId, seconds })) await addStages(tx, jobId, chunkStages(chunks));
  };
}

/** The length becomes known and paid for; the chunks become due, or aggregation where none is left to be heard. */
export function commitPreprocess(stage: ClaimedStage, done: Preprocessed): StageCommit {
  const { duration, declaredSeconds, chunks, announced, effects } = done;
  return async (tx) => {
    const steps = chunks.length + (announced ? 2 : 1);
    await recordLength(tx, stage.jobId, { duration, steps, chunks: chunks.length });
    await completeStage(tx, stage, { duration, declaredSeconds, chunks: chunks.length });
    await payFor(tx, stage, duration, effects);
    if (announced) await countStep(tx, stage.jobId, stage.name);
    await finishCut(tx, stage.jobId, chunkStages(chunks));
  };
}

/** Chunks that an earlier cut had and this one has not stay among the steps where they were announced. */
async function recordLength(
  tx: EntityManager,
  jobId: string,
  { duration, steps, chunks }: { duration: number; steps: number; chunks: number },
): Promise<void> {
  const updated = await rowsOf(
    tx,
    `UPDATE job SET duration = $2, steps_total = $3 + (
       SELECT count(*) FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' LIKE 'chunk:%'
         AND split_part(data->>'step', ':', 2)::int >= $4)
     WHERE id = $1 AND status = 'processing' RETURNING id`,
    [jobId, duration, steps, chunks],
  );
  if (updated.length === 0) throw new StaleLease(`job ${jobId} has ended`);
}

async function payFor(
  tx: EntityManager,
  { jobId, accountId }: ClaimedStage,
  seconds: number,
  effects: JobEffects,
): Promise<void> {
  if (await effects.durationKnown(tx, { id: jobId, accountId, seconds })) return;
  throw new StageFailure('The account has not enough credit for the length of this recording.', 'billing');
}
