import {
  addStages,
  type ChunkInput,
  type ClaimedStage,
  completeStage,
  recordDuration,
  recordProgress,
  finalizeChunking,
  type JobHooks,
  type StageCommit,
  UnrecoverableStageError,
} from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { buildChunkStages } from './chunk-stages.js';

export interface PreprocessResult {
  /** Duration of the whole file in seconds. */
  duration: number;
  /** Declared duration in seconds, if clearly less could be decoded. */
  declaredSeconds: number | null;
  chunks: ChunkInput[];
  /** False for small files, whose first reported step is a chunk. */
  countsAsStep: boolean;
  hooks: JobHooks;
}

/**
 * Dispatches the chunks so far while chunking continues. No credits are held yet, so an account that could not pay
 * for this much audio gets no chunks before the end of chunking.
 */
export function dispatchChunks(stage: ClaimedStage, chunks: ChunkInput[], hooks: JobHooks): StageCommit {
  const { jobId, accountId } = stage;
  return async (tx) => {
    const seconds = chunks.at(-1)?.end ?? 0;
    if (await hooks.canAfford(tx, { accountId, seconds }))
      await addStages(tx, jobId, buildChunkStages(chunks));
  };
}

/**
 * Stores the duration, holds the credits and dispatches the chunks, or enqueues aggregation if there are no chunks
 * left.
 */
export function commitPreprocess(stage: ClaimedStage, result: PreprocessResult): StageCommit {
  const { duration, declaredSeconds, chunks, countsAsStep: announced, hooks } = result;
  return async (tx) => {
    const steps = chunks.length + (announced ? 2 : 1);
    await recordDuration(tx, stage.jobId, { duration, steps, chunks: chunks.length });
    await completeStage(tx, stage, { duration, declaredSeconds, chunks: chunks.length });
    await reserveCredits(tx, stage, duration, hooks);
    if (announced) await recordProgress(tx, stage.jobId, stage.name);
    await finalizeChunking(tx, stage.jobId, buildChunkStages(chunks));
  };
}

async function reserveCredits(
  tx: EntityManager,
  { jobId, accountId }: ClaimedStage,
  seconds: number,
  hooks: JobHooks,
): Promise<void> {
  if (await hooks.reserveCredits(tx, { id: jobId, accountId, seconds })) return;
  throw new UnrecoverableStageError(
    'The account has not enough credit for the length of this recording.',
    'billing',
  );
}
