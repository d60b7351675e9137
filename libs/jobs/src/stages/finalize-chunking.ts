import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { addStages, type NewStage } from './add-stages.js';
import { recordProgress } from './complete-stage.js';

/**
 * All chunks are known now: those that were not handed out before become due, those that an earlier cut of the file had
 * and this one has not go, and what was done meanwhile is counted. Without any chunk, or with all done, aggregation is
 * due. Under the job's lock, once the number of its steps is written.
 */
export async function finalizeChunking(tx: EntityManager, jobId: string, chunks: NewStage[]): Promise<void> {
  await tx.query(`DELETE FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND chunk_index >= $2`, [
    jobId,
    chunks.length,
  ]);
  await addStages(tx, jobId, chunks);
  const done = await queryRows<{ name: string }>(
    tx,
    `SELECT name FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'
     ORDER BY finished_at, chunk_index`,
    [jobId],
  );
  for (const { name } of done) await recordProgress(tx, jobId, name);
  await scheduleAggregationIfDone(tx, jobId);
}

/** Aggregation is due when every chunk is done. To be asked under the job's lock, once the file is cut to its end. */
export async function scheduleAggregationIfDone(tx: EntityManager, jobId: string): Promise<void> {
  const open = await queryRows(
    tx,
    `SELECT 1 FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state <> 'done' LIMIT 1`,
    [jobId],
  );
  if (open.length === 0) await addStages(tx, jobId, [{ name: 'aggregation', chunkIndex: 0, input: null }]);
}
