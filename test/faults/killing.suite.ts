import { afterAll, beforeAll, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { recordWebhooks, StatusPoller } from './support/observe-jobs.js';
import { generateJobRequests, submitJobRequest, submitConcurrently } from '../e2e/support/job-requests.js';
import { FaultInjector } from './support/fault-injector.js';
import { seededRandomFor } from './support/seed.js';
import { System, type SystemOptions } from './support/system.js';
import { buildFaultTargets } from './support/fault-targets.js';

const JOBS = 500;
const CONCURRENCY = 16;
const ENDED_MS = 120_000;
const TEST_MS = 400_000;
/** The events of one in this many jobs are followed through all disconnects. */
const FOLLOW_EVERY = 50;

/** Creates many jobs concurrently while every dependency and program is killed in rotation; then checks all invariants. */
export function describeKilling(
  name: string,
  makeRequest: () => Promise<SystemOptions> | SystemOptions,
): void {
  let system: System;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const request = await makeRequest();
    system = await System.start({ ...request, env: { ...request.env, PREPROCESS_CONCURRENCY: '2' } });
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  it(
    `none of ${JOBS} jobs, created ${CONCURRENCY} at a time, is lost or charged twice while all programs are killed in turn`,
    async () => {
      const random = seededRandomFor(name);
      const observations = new ObservationRecorder();
      const client = await system.client();
      const requests = await generateJobRequests(JOBS, random, `${receiver.url}/webhook`);
      const followed: Promise<void>[] = [];

      const startedAt = performance.now();
      const poller = new StatusPoller(client, observations);
      const targets = buildFaultTargets(system, random);
      const faultInjector = new FaultInjector(random, targets);
      await submitConcurrently(requests, CONCURRENCY, async (request) => {
        const { job_id } = await submitJobRequest(client, request, observations);
        if (observations.jobs.length % FOLLOW_EVERY === 0)
          followed.push(
            followThroughDisconnects(client, job_id, undefined, TEST_MS).then((events) =>
              expectContiguous(events),
            ),
          );
      });
      // A fast machine may have submitted all jobs before.
      await until(
        'every program and server has been killed',
        () => faultInjector.injected.length >= targets.length,
        ENDED_MS,
      );
      await faultInjector.stop();
      const submissionSeconds = (performance.now() - startedAt) / 1_000;
      const recoverySeconds = await system.waitUntilAllEnded(ENDED_MS);
      await Promise.all(followed);
      await poller.stop();
      for (const jobId of observations.jobs)
        observations.recordStatus(jobId, (await client.job(jobId)).status);
      const ends = await system.queryRows<{ status: string; count: number }>(
        'SELECT status, count(*)::int FROM job GROUP BY status',
      );
      console.log(
        `${name}: ${submissionSeconds.toFixed(0)} s under ${faultInjector.injected.length} kills, all ended ${recoverySeconds.toFixed(0)} s after`,
      );
      expect(new Set(faultInjector.injected)).toEqual(new Set(targets.map(({ name: target }) => target)));
      expect(await system.findInvariantViolations()).toEqual([]);
      recordWebhooks(observations, receiver);
      expect(await system.findInvariantViolations(observations)).toEqual([]);
      expect(observations.jobs).toHaveLength(JOBS);
      expect(ends).toEqual([{ status: 'completed', count: JOBS }]);
    },
    TEST_MS,
  );
}
