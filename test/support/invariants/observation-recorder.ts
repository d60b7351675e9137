/** The final state of a job in its row. */
export interface FinalJobState {
  id: string;
  status: string;
  finishedAt: Date;
  deliveryId: string | null;
  /** State of its delivery. */
  delivery: string | null;
}

/** A received webhook. */
export interface ObservedWebhook {
  jobId: string;
  deliveryId: string;
  status: string;
  body: string;
  /** Timestamp in milliseconds. */
  at: number;
}

/** Records what callers and receivers got from the service, to compare it with the final state. */
export class ObservationRecorder {
  /** By the caller's name for the request. */
  private readonly created = new Map<string, string>();
  private readonly lastStatus = new Map<string, string>();
  private readonly webhooks: ObservedWebhook[] = [];
  private readonly conflicting = { created: [] as string[], status: [] as string[] };

  /** Jobs whose creation got a response. */
  get jobs(): string[] {
    return [...new Set(this.created.values())];
  }

  /** A create got a response, possibly a repeated one. */
  recordCreated(request: string, jobId: string): void {
    const before = this.created.get(request) ?? jobId;
    if (before !== jobId) this.conflicting.created.push(`${request}: ${before}, then ${jobId}`);
    this.created.set(request, jobId);
  }

  /** A status of the job was read. */
  recordStatus(jobId: string, status: string): void {
    const before = this.lastStatus.get(jobId) ?? 'processing';
    if (before !== 'processing' && before !== status)
      this.conflicting.status.push(`${jobId}: ${before}, then ${status}`);
    this.lastStatus.set(jobId, status);
  }

  recordWebhook(notified: ObservedWebhook): void {
    this.webhooks.push(notified);
  }

  findContradictions(jobs: readonly FinalJobState[]): { invariant: string; examples: string[] }[] {
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const ends = [...this.lastStatus].filter(([, status]) => status !== 'processing');
    const unlike = ends.filter(([id, status]) => byId.get(id)?.status !== status);
    const bodies = new Map<string, Set<string>>();
    for (const { deliveryId, body } of this.webhooks)
      bodies.set(deliveryId, (bodies.get(deliveryId) ?? new Set()).add(body));
    return [
      {
        invariant: 'a job whose creation was answered exists',
        examples: this.jobs.filter((id) => !byId.has(id)),
      },
      {
        invariant: 'a request that is repeated with its key makes one job',
        examples: this.conflicting.created,
      },
      {
        invariant: 'an end that was told is final',
        examples: [...this.conflicting.status, ...unlike.map(([id, status]) => `${id}: told ${status}`)],
      },
      {
        invariant: 'a notification speaks of a job that has ended so, under the one id of its delivery',
        examples: this.webhooks
          .filter((each) => !matchesFinalState(each, byId.get(each.jobId)))
          .map(({ body }) => body),
      },
      {
        invariant: 'a notification that is repeated is the same',
        examples: [...bodies].filter(([, { size }]) => size > 1).map(([id]) => id),
      },
      {
        invariant: 'what counts as delivered was received',
        examples: jobs
          .filter(({ delivery, deliveryId }) => delivery === 'delivered' && !bodies.has(deliveryId ?? ''))
          .map(({ id }) => id),
      },
    ];
  }
}

/** The timestamp is the start of the transaction: a webhook that arrived before its commit may still pass. */
function matchesFinalState(told: ObservedWebhook, job: FinalJobState | undefined): boolean {
  if (job === undefined) return false;
  return (
    told.status === job.status && told.deliveryId === job.deliveryId && told.at >= job.finishedAt.getTime()
  );
}
