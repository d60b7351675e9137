import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { expectContiguous, isTerminal } from '../e2e/support/events.js';
import { generateJobRequests, type JobRequest } from '../e2e/support/job-requests.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { ReadyProxy } from './support/ready-proxy.js';
import { seededRandomFor } from './support/seed.js';
import { System } from './support/system.js';

const CALLERS = 4;
const MAX_JOBS = 2_000;
const ENDED_MS = 60_000;

/** What callers observed while programs were restarted. */
interface LoadReport {
  created: number;
  /** Responses that clients retry automatically: 503. */
  unavailableResponses: number;
  /** Streams that ended before their job, and were resumed. */
  resumedStreams: number;
}

let system: System;
let receiver: WebhookReceiver;
let proxy: ReadyProxy;
let client: Client;

beforeAll(async () => {
  [receiver, system] = await Promise.all([
    WebhookReceiver.start(),
    System.start({ queue: 'redis', apis: 2, processors: 1 }),
  ]);
  proxy = await ReadyProxy.start(system.apiPorts);
  client = new Client(proxy.url, (await system.client()).apiKey);
});
afterAll(async () => {
  proxy?.close();
  await system?.stop();
  await receiver?.close();
});

/** Sends every request once, unless the response is 503, because only the upload is safe to repeat. */
async function submit({ bytes, options }: JobRequest, report: LoadReport): Promise<CreatedJob> {
  const created = await retryUntilAvailable<CreatedJob>(report, () =>
    client.post('/upload', { file_size: bytes.length, ...options }),
  );
  report.created += 1;
  const uploadUrl = created.upload_url.replace(system.baseUrl, proxy.url);
  await retryUntilAvailable(report, () => client.put(uploadUrl, bytes, created.content_type));
  await retryUntilAvailable(report, () => client.complete(created.job_id));
  await retryUntilAvailable(report, () => client.send('GET', `/api/v1/jobs/${created.job_id}`));
  return created;
}

async function retryUntilAvailable<T>(
  report: LoadReport,
  send: () => ReturnType<Client['post']>,
): Promise<T> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return expectStatus<T>(200, response);
    expect(response.headers.get('retry-after')).not.toBeNull();
    report.unavailableResponses += 1;
  }
}

/** Follows a job to its end over any number of API processes. */
async function follow(jobId: string, report: LoadReport): Promise<void> {
  const events = await client.events(jobId);
  while (!events.some(isTerminal)) {
    report.resumedStreams += 1;
    events.push(...(await client.events(jobId, { lastEventId: events.at(-1)?.id ?? '0' })));
  }
  expectContiguous(events);
}

describe('a rolling restart of every program under load', () => {
  it('a rolling restart fails no request, loses no job and leaves no gap in a stream', async () => {
    const random = seededRandomFor('rolling-restart');
    const requests = (await generateJobRequests(MAX_JOBS, random, receiver.reply('/hook', 200))).values();
    const observations = new ObservationRecorder();
    const report: LoadReport = { created: 0, unavailableResponses: 0, resumedStreams: 0 };
    let restarting = true;
    const callers = Array.from({ length: CALLERS }, async () => {
      for (const request of requests) {
        const { job_id } = await submit(request, report);
        observations.recordCreated(request.name, job_id);
        await follow(job_id, report);
        if (!restarting) return;
      }
      throw new Error('there were too few requests');
    });
    const work = Promise.all(callers).finally(() => (restarting = false));
    work.catch(() => undefined);

    await until('every caller has created a job', () => report.created >= CALLERS);
    for (const program of [...system.apis, ...system.processors]) {
      const before = report.created;
      expect(await program.stop()).toEqual({ code: 0, signal: null });
      await program.restart();
      await until('both APIs are ready', () => proxy.readyCount === system.apis.length);
      await until('a job was created meanwhile', () => !restarting || report.created > before);
    }
    restarting = false;
    await work;
    console.log(`restarted under load: ${JSON.stringify(report)}`);

    expect(proxy.failedRequests).toEqual([]);
    await system.waitUntilAllEnded(ENDED_MS);
    // Waits for all deliveries before it reads what the receiver recorded.
    expect(await system.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});
