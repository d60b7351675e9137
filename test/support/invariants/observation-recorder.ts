/** The final state of a job, from its row and that of one of its webhook deliveries, if it has any. */
export interface FinalJobState {
  id: string;
  status: string;
  finishedAt: Date;
  deliveryId: string | null;
  /** State of the delivery. */
  delivery: string | null;
}

export interface ObservedWebhook {
  jobId: string;
  deliveryId: string;
  status: string;
  body: string;
  /** Timestamp in milliseconds. */
  at: number;
}

/** Records what callers and webhook receivers observed, to compare it with the final rows. */
export class ObservationRecorder {
  /** Job ids by the caller's name for the request. */
  private readonly created = new Map<string, string>();
  private readonly lastStatus = new Map<string, string>();
  private readonly webhooks: ObservedWebhook[] = [];
  private readonly conflicting = { created: [] as string[], status: [] as string[] };

  /** Ids of the jobs whose creation was acknowledged. */
  get jobs(): string[] {
    return [...new Set(this.created.values())];
  }

  recordCreated(request: string, jobId: string): void {
    const before = this.created.get(request) ?? jobId;
    if (before !== jobId) this.conflicting.created.push(`${request}: ${before}, then ${jobId}`);
    this.created.set(request, jobId);
  }

  recordStatus(jobId: string, status: string): void {
    const before = this.lastStatus.get(jobId) ?? 'processing';
    if (before !== 'processing' && before !== status)
      this.conflicting.status.push(`${jobId}: ${before}, then ${status}`);
    this.lastStatus.set(jobId, status);
  }

  recordWebhook(webhook: ObservedWebhook): void {
    this.webhooks.push(webhook);
  }

  /** @param jobs an element for each delivery of a job, or one if it has none */
  findContradictions(jobs: readonly FinalJobState[]): { invariant: string; examples: string[] }[] {
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const byDelivery = new Map(jobs.map((job) => [job.deliveryId, job]));
    const changed = [...this.lastStatus].filter(
      ([id, status]) => status !== 'processing' && byId.get(id)?.status !== status,
    );
    const bodies = new Map<string, Set<string>>();
    for (const { deliveryId, body } of this.webhooks)
      bodies.set(deliveryId, (bodies.get(deliveryId) ?? new Set()).add(body));
    return [
      {
        invariant: 'every job whose creation was acknowledged exists',
        examples: this.jobs.filter((id) => !byId.has(id)),
      },
      {
        invariant: 'a request that is repeated with its idempotency key creates one job',
        examples: this.conflicting.created,
      },
      {
        invariant: 'a final status that a caller has read does not change',
        examples: [...this.conflicting.status, ...changed.map(([id, status]) => `${id}: was ${status}`)],
      },
      {
        invariant: 'a webhook reports the final status of its job, under the id of its delivery',
        examples: this.webhooks
          .filter((webhook) => !matchesFinalState(webhook, byDelivery.get(webhook.deliveryId)))
          .map(({ body }) => body),
      },
      {
        invariant: 'repeated attempts of a delivery have the same body',
        examples: [...bodies].filter(([, { size }]) => size > 1).map(([id]) => id),
      },
      {
        invariant: 'every delivery that counts as delivered was received',
        examples: jobs
          .filter(({ delivery, deliveryId }) => delivery === 'delivered' && !bodies.has(deliveryId ?? ''))
          .map(({ id, deliveryId }) => `${deliveryId} of ${id}`),
      },
    ];
  }
}

/** `finishedAt` is the start of the transaction: a webhook that arrived before its commit is not detected. */
function matchesFinalState(webhook: ObservedWebhook, job: FinalJobState | undefined): boolean {
  if (job === undefined) return false;
  return webhook.status === job.status && webhook.jobId === job.id && webhook.at >= job.finishedAt.getTime();
}
