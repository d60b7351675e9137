import type { EntityManager } from 'typeorm';
import { recordCompletedStep } from '../lifecycle/job.repository.js';
import {
  addStages,
  deleteChunksFrom,
  findDoneChunkNames,
  hasOpenChunks,
  type NewStage,
} from './job-stage.repository.js';

/**
 * Adds the chunk stages, deletes those of an earlier chunking, and adds aggregation if all chunks are done or
 * there are none. Call it under the lock of the job, after its number of steps is written.
 */
export async function scheduleChunks(tx: EntityManager, jobId: string, chunks: NewStage[]): Promise<void> {
  await deleteChunksFrom(tx, jobId, chunks.length);
  await addStages(tx, jobId, chunks);
  for (const name of await findDoneChunkNames(tx, jobId)) await recordCompletedStep(tx, jobId, name);
  await scheduleAggregationIfChunksDone(tx, jobId);
}

/** Call it under the lock of the job, after chunking. */
export async function scheduleAggregationIfChunksDone(tx: EntityManager, jobId: string): Promise<void> {
  if (!(await hasOpenChunks(tx, jobId)))
    await addStages(tx, jobId, [{ name: 'aggregation', chunkIndex: 0, input: null }]);
}
