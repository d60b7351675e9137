import type { FinishedJob, JobHooks } from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DUE_CHANNEL } from './due-channel.js';

/** What webhooks have to do with the life of a job; called inside the job's own transaction. */
export class WebhookJobHooks implements Pick<JobHooks, 'onJobFinished'> {
  /** Owes the notification to the job's `callback_url`, if it has one. It commits or vanishes with the job's end. */
  async onJobFinished(tx: EntityManager, job: FinishedJob): Promise<void> {
    await tx.query(
      `WITH owed AS (
         INSERT INTO webhook_delivery (id, account_id, job_id, url, event)
         SELECT $1, account_id, id, options->>'callback_url', $3
         FROM job WHERE id = $2 AND options->>'callback_url' IS NOT NULL
         RETURNING id
       )
       SELECT pg_notify('${DUE_CHANNEL}', '') FROM owed`,
      [uuidv7(), job.id, job.outcome.status],
    );
  }
}
