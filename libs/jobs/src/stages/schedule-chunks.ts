import { findDoneChunkNames, recordCompletedSteps } from '../lifecycle/job-steps.repository.js';
import type { EntityManager } from 'typeorm';
import {
  addOrRestartStages,
  deleteChunkStagesFromIndex,
  hasOpenChunks,
  type NewStage,
} from './job-stage.repository.js';

const AGGREGATION: NewStage = { name: 'aggregation', chunkIndex: 0, input: null };

/**
 * Adds the chunk stages, deletes those of an earlier chunking, and adds aggregation if all chunks are done or
 * there are none. Call it under the lock of the job, after its number of steps is written.
 * @param hasChunks whether the job has chunk stages already
 */
export async function scheduleChunksOrAggregation(
  tx: EntityManager,
  jobId: string,
  chunks: NewStage[],
  hasChunks = true,
): Promise<void> {
  if (!hasChunks) return addOrRestartStages(tx, jobId, chunks.length > 0 ? chunks : [AGGREGATION]);
  await deleteChunkStagesFromIndex(tx, jobId, chunks.length);
  await addOrRestartStages(tx, jobId, chunks);
  const done = await findDoneChunkNames(tx, jobId);
  if (done.length > 0) await recordCompletedSteps(tx, jobId, done);
  await scheduleAggregationIfChunksDone(tx, jobId);
}

/** Call it under the lock of the job, after chunking. */
export async function scheduleAggregationIfChunksDone(tx: EntityManager, jobId: string): Promise<void> {
  if (!(await hasOpenChunks(tx, jobId))) await addOrRestartStages(tx, jobId, [AGGREGATION]);
}
