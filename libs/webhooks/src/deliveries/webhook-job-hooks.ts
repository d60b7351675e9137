import type { FinishedJob, JobHooks } from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { insertJobEndDeliveries } from './insert-delivery.repository.js';

export class WebhookJobHooks implements Pick<JobHooks, 'onJobFinished'> {
  /** Runs in the transaction that ends the job. */
  async onJobFinished(tx: EntityManager, job: FinishedJob): Promise<void> {
    if (job.hasWebhookTargets !== false) await insertJobEndDeliveries(tx, job.id, job.outcome.status);
  }
}
