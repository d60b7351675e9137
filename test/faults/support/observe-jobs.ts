import { setTimeout as pause } from 'node:timers/promises';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import type { Client } from '../../e2e/support/client.js';
import type { WebhookReceiver } from '../../e2e/support/webhook-receiver.js';

const POLL_INTERVAL_MS = 200;

/** Records all requests of a webhook receiver. */
export function recordWebhooks(observations: ObservationRecorder, receiver: WebhookReceiver): void {
  for (const { headers, body, receivedAt: at } of receiver.received) {
    const { job_id: jobId, status } = JSON.parse(body.toString()) as { job_id: string; status: string };
    observations.recordWebhook({
      jobId,
      status,
      at,
      deliveryId: String(headers['x-svc-delivery']),
      body: body.toString(),
    });
  }
}

/** Reads the status of one job after another until it is stopped; failed reads are ignored. */
export class StatusPoller {
  private running = true;
  private readonly ended: Promise<void>;

  constructor(
    private readonly client: Client,
    private readonly observations: ObservationRecorder,
  ) {
    this.ended = this.poll();
  }

  stop(): Promise<void> {
    this.running = false;
    return this.ended;
  }

  private async poll(): Promise<void> {
    for (let turn = 0; this.running; turn += 1) {
      await pause(POLL_INTERVAL_MS);
      const { jobs } = this.observations;
      const jobId = jobs[(turn * 7) % jobs.length];
      const job = jobId === undefined ? undefined : await this.client.job(jobId).catch(() => undefined);
      if (job !== undefined) this.observations.recordStatus(job.job_id, job.status);
    }
  }
}
