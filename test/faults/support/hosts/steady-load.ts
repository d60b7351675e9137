import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../../e2e/support/client.js';
import { expectContiguous, followThroughDisconnects } from '../../../e2e/support/events.js';
import {
  generateJobRequests,
  type JobRequest,
  RETRY_STATUSES_BEHIND_PROXY,
  submitJobRequest,
} from '../../../e2e/support/job-requests.js';
import { until } from '../../../e2e/support/until.js';
import type { ObservationRecorder } from '../../../support/invariants/observation-recorder.js';
import { seededRandomFor } from '../seed.js';

export const CALLERS = 2;
const PAUSE_MS = 700;
const MAX_JOBS = 2_000;
/** One in this many jobs is followed to its end. */
const FOLLOW_EVERY = 5;
const FOLLOW_MS = 150_000;

/** Callers that create two or three jobs a second, whatever happens, until they are stopped, and repeat every request that fails. */
export class SteadyLoad {
  private isRunning = true;
  /** Names are unique over all loads of an account, as they are idempotency keys. */
  private readonly followed: Promise<void>[] = [];
  private readonly work: Promise<void>;
  private createdJobs = 0;
  private slowestSubmitMs = 0;

  private constructor(
    private readonly client: Client,
    private readonly observations: ObservationRecorder,
    requests: Iterator<JobRequest> & Iterable<JobRequest>,
  ) {
    this.work = Promise.all(Array.from({ length: CALLERS }, () => this.submitUntilStopped(requests))).then(
      () => undefined,
    );
    this.work.catch(() => undefined);
  }

  /** Resolves when some jobs have been created. @param name of the load, and the prefix of its idempotency keys */
  static async start(
    name: string,
    client: Client,
    callbackUrl: string,
    observations: ObservationRecorder,
  ): Promise<SteadyLoad> {
    const requests = await generateJobRequests(MAX_JOBS, seededRandomFor(name), callbackUrl);
    const named = requests.map((request) => ({ ...request, name: `${name} ${request.name}` }));
    const load = new SteadyLoad(client, observations, named.values());
    await load.waitForJobs(FOLLOW_EVERY);
    return load;
  }

  /** Jobs that were created, uploaded and queued, each of which was acknowledged. */
  get created(): number {
    return this.createdJobs;
  }

  /** Resolves when this many further jobs have been created and queued. */
  async waitForJobs(count: number): Promise<void> {
    const enough = this.created + count;
    await Promise.race([
      this.work,
      until(`${count} further jobs are created`, () => this.created >= enough, FOLLOW_MS),
    ]);
  }

  /** Resolves when the followed jobs have ended. @throws the error of a caller @returns what happened, for the output */
  async stop(): Promise<string> {
    this.isRunning = false;
    await this.work;
    await Promise.all(this.followed);
    return `${this.created} jobs, ${this.followed.length} of them followed, the slowest submitted in ${(this.slowestSubmitMs / 1_000).toFixed(1)} s`;
  }

  private async submitUntilStopped(requests: Iterable<JobRequest>): Promise<void> {
    for (const request of requests) {
      const startedAt = performance.now();
      const { job_id } = await submitJobRequest(
        this.client,
        request,
        this.observations,
        RETRY_STATUSES_BEHIND_PROXY,
      );
      this.slowestSubmitMs = Math.max(this.slowestSubmitMs, performance.now() - startedAt);
      this.createdJobs += 1;
      if (this.created % FOLLOW_EVERY === 0) this.followed.push(this.follow(job_id));
      if (!this.isRunning) return;
      await pause(PAUSE_MS);
    }
    throw new Error('there were too few requests');
  }

  private async follow(jobId: string): Promise<void> {
    expectContiguous(await followThroughDisconnects(this.client, jobId, undefined, FOLLOW_MS));
  }
}
