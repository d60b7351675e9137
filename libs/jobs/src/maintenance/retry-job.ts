import { inTransaction, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { type OutboxMessage, enqueueOutbox } from '../outbox/outbox.js';

/**
 * Starts the open stages of a job over, with all their attempts before them; whoever works on one loses it.
 * Only for a job that has not ended: terminal states never change.
 * @returns the names of the stages.
 */
export async function retryJob(dataSource: DataSource, jobId: string): Promise<string[]> {
  return inTransaction(dataSource, async (tx) => {
    const stages = await queryRows<OutboxMessage>(
      tx,
      `UPDATE job_stage stage
       SET state = 'pending', fence = fence + 1, attempts = 0, lease_until = NULL, due_at = now(), waiting_since = now()
       FROM job WHERE job.id = $1 AND job.status = 'processing' AND stage.job_id = job.id
         AND stage.state IN ('pending', 'running')
       RETURNING stage.job_id AS "jobId", stage.name, stage.chunk_index AS "chunkIndex", stage.fence`,
      [jobId],
    );
    await enqueueOutbox(tx, stages);
    return stages.map(({ name }) => name);
  });
}
