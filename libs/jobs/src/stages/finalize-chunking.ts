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
 * All chunks are known now: those that were not handed out before become due, those that an earlier cut of the file had
 * and this one has not go, and what was done meanwhile is counted. Without any chunk, or with all done, aggregation is
 * due. Under the job's lock, once the number of its steps is written.
 */
export async function finalizeChunking(tx: EntityManager, jobId: string, chunks: NewStage[]): Promise<void> {
  await deleteChunksFrom(tx, jobId, chunks.length);
  await addStages(tx, jobId, chunks);
  for (const { name } of await findDoneChunks(tx, jobId)) await recordProgress(tx, jobId, name);
  await scheduleAggregationIfDone(tx, jobId);
}

/** Aggregation is due when every chunk is done. To be asked under the job's lock, once the file is cut to its end. */
export async function scheduleAggregationIfDone(tx: EntityManager, jobId: string): Promise<void> {
  if (!(await hasOpenChunks(tx, jobId)))
    await addStages(tx, jobId, [{ name: 'aggregation', chunkIndex: 0, input: null }]);
}
