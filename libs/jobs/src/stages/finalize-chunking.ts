import type { EntityManager } from 'typeorm';
import { recordProgress } from '../lifecycle/job.repository.js';
import {
  addStages,
  deleteChunksFrom,
  findDoneChunks,
  hasOpenChunks,
  type NewStage,
} from './job-stage.repository.js';

/**
 * Also deletes chunks of an earlier chunking, and enqueues aggregation if all chunks are done or there are
 * none. Call it under the lock of the job, after its number of steps is written.
 */
export async function finalizeChunking(tx: EntityManager, jobId: string, chunks: NewStage[]): Promise<void> {
  await deleteChunksFrom(tx, jobId, chunks.length);
  await addStages(tx, jobId, chunks);
  for (const { name } of await findDoneChunks(tx, jobId)) await recordProgress(tx, jobId, name);
  await scheduleAggregationIfDone(tx, jobId);
}

/** Call it under the lock of the job, after chunking. */
export async function scheduleAggregationIfDone(tx: EntityManager, jobId: string): Promise<void> {
  if (!(await hasOpenChunks(tx, jobId)))
    await addStages(tx, jobId, [{ name: 'aggregation', chunkIndex: 0, input: null }]);
}
