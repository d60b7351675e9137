import type { FinishedJob, JobHooks } from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { insertDelivery } from './webhook-delivery.repository.js';

/** What webhooks have to do with the life of a job; called inside the job's own transaction. */
export class WebhookJobHooks implements Pick<JobHooks, 'onJobFinished'> {
  /** Owes the notification to the job's `callback_url`, if it has one. It commits or vanishes with the job's end. */
  async onJobFinished(tx: EntityManager, job: FinishedJob): Promise<void> {
    await insertDelivery(tx, job.id, job.outcome.status);
  }
}
