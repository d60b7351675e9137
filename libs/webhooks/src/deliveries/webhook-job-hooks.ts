import type { EndedJob, JobHooks } from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { insertJobEndDeliveries } from './insert-delivery.repository.js';

export class WebhookJobHooks implements Pick<JobHooks, 'onJobEnd'> {
  /** Runs in the transaction that ends the job. */
  async onJobEnd(tx: EntityManager, job: EndedJob): Promise<void> {
    if (job.hasWebhookTargets !== false) await insertJobEndDeliveries(tx, job.id, job.outcome.status);
  }
}
