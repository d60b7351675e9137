import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { silentWav } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { WebhookReceiver, type Reply } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { System } from './support/system.js';

/** The reply of a receiver, and the expected delivery: its state and number of counted attempts. */
const RECEIVERS: [name: string, replies: Reply[], state: string, attempts: number][] = [
  ['always responds with 500', [500], 'failed', 4],
  ['responds with 500 and 503, then 200', [500, 503, 200], 'delivered', 3],
  ['always hangs', ['hang'], 'failed', 4],
  ['hangs once', ['hang', 200], 'delivered', 2],
  ['resets every connection', ['reset'], 'failed', 4],
  ['resets one connection', ['reset', 200], 'delivered', 2],
  ['redirects', [302], 'failed', 1],
  ['responds with 410', [410], 'failed', 1],
  ['responds with 429', [429], 'failed', 1],
  ['responds with 204', [204], 'delivered', 1],
];
/** Four attempts of ten seconds each, the pauses between them, and time to end the job. */
const ALL_ATTEMPTS_MS = 75_000;

describe('webhook receivers', () => {
  let system: System;
  let client: Client;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    system = await System.start({
      queue: 'postgres',
      apis: 1,
      processors: 2,
      env: { WEBHOOK_BACKOFF_SECONDS: '0,1,1' },
    });
    client = await system.client();
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  const submit = async (path: string, replies: Reply[]) =>
    (await client.submit(silentWav(0.5), { callback_url: receiver.reply(path, ...replies) })).job_id;
  const readDelivery = async (jobId: string) => {
    const [row] = await system.queryRows(
      'SELECT state, attempts FROM webhook_delivery WHERE job_id = $1',
      jobId,
    );
    return row;
  };

  it('a webhook is delivered at least once under one id, or given up as specified, whatever its receiver does', async () => {
    const jobs = await Promise.all(RECEIVERS.map(([, replies], at) => submit(`/r${at}`, replies)));
    await until(
      'every webhook is delivered or has failed',
      async () => {
        const states = await Promise.all(jobs.map(readDelivery));
        return states.every((row) => row !== undefined && row['state'] !== 'pending');
      },
      ALL_ATTEMPTS_MS,
    );
    for (const [at, [name, , state, attempts]] of RECEIVERS.entries()) {
      expect(await readDelivery(jobs[at] ?? ''), name).toEqual({ state, attempts });
      const received = receiver.requestsTo(`/r${at}`);
      expect(received, name).toHaveLength(attempts);
      expect(new Set(received.map(({ headers }) => headers['x-svc-delivery'])).size, name).toBe(1);
    }
    expect(receiver.requestsTo('/moved-to')).toEqual([]);
  });

  it('a webhook whose dispatcher is killed after sending is sent again with the same id and bytes', async () => {
    const jobId = await submit('/killed', ['hang', 200]);
    await until('the webhook was sent', () => receiver.requestsTo('/killed').length === 1);
    await Promise.all(system.processors.map((processor) => processor.kill('SIGKILL')));
    await until(
      'the webhook is delivered',
      async () => (await readDelivery(jobId))?.['state'] === 'delivered',
      60_000,
    );
    const [first, second, ...more] = receiver.requestsTo('/killed');
    expect(more).toEqual([]);
    expect(second?.headers['x-svc-delivery']).toBe(first?.headers['x-svc-delivery']);
    expect(second?.body).toEqual(first?.body);

    const observations = new ObservationRecorder();
    recordWebhooks(observations, receiver);
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});
