import type { EntityManager } from 'typeorm';
import { recordStepsOfDoneChunks } from '../lifecycle/job-steps.repository.js';
import { scheduleAggregationIfChunksDone } from './aggregation-schedule.repository.js';
import { addOrRestartStages, deleteChunkStagesFromIndex, type NewStage } from './job-stage.repository.js';

/**
 * Adds the chunk stages, deletes those of an earlier chunking, and adds aggregation if all chunks are done or
 * there are none. Call it under the lock of the job, after its number of steps is written.
 */
export async function scheduleChunksOrAggregation(
  tx: EntityManager,
  jobId: string,
  chunks: NewStage[],
): Promise<void> {
  await deleteChunkStagesFromIndex(tx, jobId, chunks.length);
  await addOrRestartStages(tx, jobId, chunks);
  await recordStepsOfDoneChunks(tx, jobId);
  await scheduleAggregationIfChunksDone(tx, jobId);
}
