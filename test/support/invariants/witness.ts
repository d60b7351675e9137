/** A job as its row tells of it in the end. */
export interface JobInTheEnd {
  id: string;
  status: string;
  finishedAt: Date;
  deliveryId: string | null;
  /** State of its notification. */
  delivery: string | null;
}

/** A notification as it came in. */
export interface Notified {
  jobId: string;
  deliveryId: string;
  status: string;
  body: string;
  /** Moment in milliseconds. */
  at: number;
}

/** Writes down what the service said to its callers and receivers, to hold it against what is there in the end. */
export class Witness {
  /** By the caller's own name for the request. */
  private readonly created = new Map<string, string>();
  private readonly last = new Map<string, string>();
  private readonly notified: Notified[] = [];
  private readonly contradicted = { created: [] as string[], status: [] as string[] };

  /** Jobs whose creation was answered. */
  get jobs(): string[] {
    return [...new Set(this.created.values())];
  }

  /** A create was answered, perhaps not for the first time. */
  toldCreated(request: string, jobId: string): void {
    const before = this.created.get(request) ?? jobId;
    if (before !== jobId) this.contradicted.created.push(`${request}: ${before}, then ${jobId}`);
    this.created.set(request, jobId);
  }

  /** A status of the job was read. */
  toldStatus(jobId: string, status: string): void {
    const before = this.last.get(jobId) ?? 'processing';
    if (before !== 'processing' && before !== status)
      this.contradicted.status.push(`${jobId}: ${before}, then ${status}`);
    this.last.set(jobId, status);
  }

  toldReceiver(notified: Notified): void {
    this.notified.push(notified);
  }

  contradictions(jobs: readonly JobInTheEnd[]): { promise: string; examples: string[] }[] {
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const ends = [...this.last].filter(([, status]) => status !== 'processing');
    const unlike = ends.filter(([id, status]) => byId.get(id)?.status !== status);
    const bodies = new Map<string, Set<string>>();
    for (const { deliveryId, body } of this.notified)
      bodies.set(deliveryId, (bodies.get(deliveryId) ?? new Set()).add(body));
    return [
      {
        promise: 'a job whose creation was answered exists',
        examples: this.jobs.filter((id) => !byId.has(id)),
      },
      {
        promise: 'a request that is repeated with its key makes one job',
        examples: this.contradicted.created,
      },
      {
        promise: 'an end that was told is final',
        examples: [...this.contradicted.status, ...unlike.map(([id, status]) => `${id}: told ${status}`)],
      },
      {
        promise: 'a notification speaks of a job that has ended so, under the one id of its delivery',
        examples: this.notified.filter((each) => !isTrue(each, byId.get(each.jobId))).map(({ body }) => body),
      },
      {
        promise: 'a notification that is repeated is the same',
        examples: [...bodies].filter(([, { size }]) => size > 1).map(([id]) => id),
      },
      {
        promise: 'what counts as delivered was received',
        examples: jobs
          .filter(({ delivery, deliveryId }) => delivery === 'delivered' && !bodies.has(deliveryId ?? ''))
          .map(({ id }) => id),
      },
    ];
  }
}

/** The moment is that of the transaction's start: a notification that came before its commit may still pass. */
function isTrue(told: Notified, job: JobInTheEnd | undefined): boolean {
  if (job === undefined) return false;
  return (
    told.status === job.status && told.deliveryId === job.deliveryId && told.at >= job.finishedAt.getTime()
  );
}
