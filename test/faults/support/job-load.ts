import { type Client, type CreatedJob, expectStatus } from '../../e2e/support/client.js';
import { expectContiguous, isTerminal } from '../../e2e/support/events.js';
import { generateJobRequests, type JobRequest } from '../../e2e/support/job-requests.js';
import { until } from '../../e2e/support/until.js';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import { seededRandomFor } from './seed.js';

const CALLERS = 4;
const MAX_JOBS = 2_000;

/** What callers observed. */
export interface LoadReport {
  created: number;
  /** Responses that clients retry automatically: 503. */
  unavailableResponses: number;
  /** Streams that ended before their job, and were resumed. */
  resumedStreams: number;
}

export interface JobLoadOptions {
  client: Client;
  /** Of the system; requests to it go through the proxy. */
  systemUrl: string;
  proxyUrl: string;
  seedName: string;
  callbackUrl: string;
}

/** Callers that create jobs and follow each to its end, until they are stopped. Any response but 200 and 503 fails them. */
export class JobLoad {
  readonly report: LoadReport = { created: 0, unavailableResponses: 0, resumedStreams: 0 };
  private isRunning = true;
  private readonly work: Promise<void>;

  private constructor(
    private readonly options: JobLoadOptions,
    requests: Iterator<JobRequest> & Iterable<JobRequest>,
    observations: ObservationRecorder,
  ) {
    const callers = Array.from({ length: CALLERS }, () => this.callUntilStopped(requests, observations));
    this.work = Promise.all(callers)
      .then(() => undefined)
      .finally(() => (this.isRunning = false));
    this.work.catch(() => undefined);
  }

  /** Resolves when every caller has created a job. */
  static async start(options: JobLoadOptions, observations: ObservationRecorder): Promise<JobLoad> {
    const random = seededRandomFor(options.seedName);
    const requests = (await generateJobRequests(MAX_JOBS, random, options.callbackUrl)).values();
    const load = new JobLoad(options, requests, observations);
    await until('every caller has created a job', () => load.report.created >= CALLERS);
    return load;
  }

  /** Resolves when another job has been created, or the callers have failed. */
  async waitForNextJob(): Promise<void> {
    const before = this.report.created;
    await until('a job was created meanwhile', () => !this.isRunning || this.report.created > before);
  }

  /** Resolves when the jobs of all callers have ended. @throws the error of a caller */
  async stop(): Promise<void> {
    this.isRunning = false;
    await this.work;
  }

  private async callUntilStopped(
    requests: Iterable<JobRequest>,
    observations: ObservationRecorder,
  ): Promise<void> {
    for (const request of requests) {
      const { job_id } = await this.submit(request);
      observations.recordCreated(request.name, job_id);
      await this.follow(job_id);
      if (!this.isRunning) return;
    }
    throw new Error('there were too few requests');
  }

  /** Sends every request once, unless the response is 503, because only the upload is safe to repeat. */
  private async submit({ bytes, options }: JobRequest): Promise<CreatedJob> {
    const { client, systemUrl, proxyUrl } = this.options;
    const created = await this.retryUntilAvailable<CreatedJob>(() =>
      client.post('/upload', { file_size: bytes.length, ...options }),
    );
    this.report.created += 1;
    const uploadUrl = created.upload_url.replace(systemUrl, proxyUrl);
    await this.retryUntilAvailable(() => client.put(uploadUrl, bytes, created.content_type));
    await this.retryUntilAvailable(() => client.complete(created.job_id));
    await this.retryUntilAvailable(() => client.send('GET', `/api/v1/jobs/${created.job_id}`));
    return created;
  }

  private async retryUntilAvailable<T>(send: () => ReturnType<Client['post']>): Promise<T> {
    for (;;) {
      const response = await send();
      if (response.status !== 503) return expectStatus<T>(200, response);
      if (response.headers.get('retry-after') === null) throw new Error('a response 503 has no Retry-After');
      this.report.unavailableResponses += 1;
    }
  }

  /** Follows a job to its end over any number of API processes. */
  private async follow(jobId: string): Promise<void> {
    const { client } = this.options;
    const events = await client.events(jobId);
    while (!events.some(isTerminal)) {
      this.report.resumedStreams += 1;
      events.push(...(await client.events(jobId, { lastEventId: events.at(-1)?.id ?? '0' })));
    }
    expectContiguous(events);
  }
}
