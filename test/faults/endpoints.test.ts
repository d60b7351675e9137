import { afterAll, beforeAll, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { generateJobRequests, submitConcurrently, submitJobRequest } from '../e2e/support/job-requests.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { FaultInjector } from './support/fault-injector.js';
import { buildFaultTargets } from './support/fault-targets.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { seededRandomFor } from './support/seed.js';
import { System } from './support/system.js';

const MAX_JOBS = 2_000;
/** One processor ends this many in less than a minute. */
const MAX_OPEN_JOBS = 150;
const BATCH = 25;
/** Of both programs, in turn. */
const KILLS = 6;
const CONCURRENCY = 4;
const ENDED_MS = 120_000;
const TEST_MS = 400_000;
const PROGRAMS = ['api', 'processor'];

let system: System;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const env = { MAX_ATTEMPTS: '20', WEBHOOK_BACKOFF_SECONDS: '0,1,1' };
  system = await System.start({ queue: 'postgres', apis: 1, processors: 1, env });
});
afterAll(async () => {
  await system?.stop();
  await receiver?.close();
});

it(
  `each of two endpoints gets the webhook of each job at least once while API and processor are killed ${KILLS} times`,
  async () => {
    const random = seededRandomFor('endpoints');
    for (const path of ['/first', '/second'])
      await system.adminJson('webhooks', 'endpoints', 'create', receiver.url + path, '--json');
    const client = await system.client();
    const observations = new ObservationRecorder();
    const requests = await generateJobRequests(MAX_JOBS, random, `${receiver.url}/callback`);
    const targets = buildFaultTargets(system, random).filter(({ name }) => PROGRAMS.includes(name));
    const faultInjector = new FaultInjector(random, targets);
    for (let at = 0; at < MAX_JOBS && faultInjector.injected.length < KILLS; at += BATCH) {
      await until('the backlog is short', async () => (await countOpenJobs()) < MAX_OPEN_JOBS, ENDED_MS);
      await submitConcurrently(requests.slice(at, at + BATCH), CONCURRENCY, (request) =>
        submitJobRequest(client, request, observations),
      );
    }
    await faultInjector.stop();
    expect(new Set(faultInjector.injected)).toEqual(new Set(PROGRAMS));
    await system.waitUntilAllEnded(ENDED_MS);
    // Waits until every delivery has ended.
    expect(await system.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.findInvariantViolations(observations)).toEqual([]);
    const jobs = observations.jobs.toSorted();
    for (const path of ['/first', '/second']) expect(findReportedJobs(path), path).toEqual(jobs);
    expect(findReportedJobs('/callback')).toHaveLength(jobs.length / 5);
  },
  TEST_MS,
);

async function countOpenJobs(): Promise<number> {
  const sql = `SELECT count(*)::int AS open FROM job WHERE status = 'processing'`;
  return (await system.queryRows<{ open: number }>(sql))[0]?.open ?? 0;
}

function findReportedJobs(path: string): string[] {
  const ids = receiver
    .requestsTo(path)
    .map(({ body }) => (JSON.parse(body.toString()) as { job_id: string }).job_id);
  return [...new Set(ids)].toSorted();
}
