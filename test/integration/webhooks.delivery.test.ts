import { createHmac } from 'node:crypto';
import { inTransaction } from '@app/database';
import { OutboundClient, OutboundGuard } from '@app/outbound';
import { listWebhookDeliveriesForOperator, listWebhookAttempts, WebhookJobHooks } from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shiftClockOfProcess } from '../support/shifted-clock.js';
import {
  deadPort,
  hang,
  type Received,
  type Receiver,
  reset,
  SHORT_MS,
  startReceiver,
  status,
} from './outbound.receiver.js';
import { COMPLETED, FAILED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await startReceiver(status(200));
});
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

async function dispatchUntilEnded(jobId: string, timeoutMs?: number): Promise<void> {
  const dispatcher = fixture.dispatcher({ timeoutMs });
  for (let round = 0; round < 10; round += 1) {
    await dispatcher.dispatchOnce();
    if ((await fixture.deliveryOf(jobId)).state !== 'pending') return;
  }
  throw new Error('the delivery did not end');
}

describe('a webhook', () => {
  it('a completed job is reported with a signature and exactly the documented headers', async () => {
    const jobId = await fixture.endedJob(`${receiver.url}/hook?a=b`);
    await fixture.dispatcher().dispatchOnce();
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b' });
    expect(JSON.parse(String(request?.body))).toEqual({
      job_id: jobId,
      status: 'completed',
      download_url: `https://store.example/results/a.json?job=${jobId}`,
    });
    const secret = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const hmac = createHmac('sha256', secret)
      .update(request?.body ?? '')
      .digest('hex');
    const delivery = await fixture.deliveryOf(jobId);
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
      'user-agent': 'Service-Webhook/1',
      'x-svc-signature': `sha256=${hmac}`,
      'x-svc-event': 'completed',
      'x-svc-delivery': delivery.id,
      'webhook-id': delivery.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
      'webhook-signature': computeStandardSignature(secret, request) as unknown,
    });
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, nextAttemptAt: null });
    expect(delivery.finishedAt).toBeInstanceOf(Date);
  });

  it('a failed job is reported with its stage and reason', async () => {
    const jobId = await fixture.endedJob(receiver.url, FAILED);
    await fixture.dispatcher().dispatchOnce();
    expect(receiver.received[0]?.headers['x-svc-event']).toBe('failed');
    expect(JSON.parse(String(receiver.received[0]?.body))).toEqual({
      job_id: jobId,
      status: 'failed',
      step: 'preprocess',
      reason: 'The file is no “audio”.',
    });
  });

  it('a job without callback_url has no webhook', async () => {
    await fixture.endedJob(null);
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    expect(await listWebhookDeliveriesForOperator(fixture.dataSource, null)).toEqual([]);
  });

  it('the webhook is rolled back with the transaction that ends the job, and not sent before the commit', async () => {
    const jobId = await fixture.endedJob(null);
    const rolledBack = inTransaction(fixture.dataSource, async (tx) => {
      await tx.query(`UPDATE job SET options = options || $2 WHERE id = $1`, [
        jobId,
        JSON.stringify({ callback_url: receiver.url }),
      ]);
      const job = {
        ...{ id: jobId, accountId: fixture.accountId, outcome: COMPLETED },
        ...{ processedSeconds: 1, hasWebhookTargets: true },
      };
      await new WebhookJobHooks().onJobEnd(tx, job);
      expect(await tx.query('SELECT 1 FROM webhook_delivery')).toHaveLength(1);
      expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
      throw new Error('undo');
    });
    await expect(rolledBack).rejects.toThrow('undo');
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  it.each([200, 201, 204, 299])('status %i completes the delivery', async (code) => {
    receiver.answer = status(code);
    const jobId = await fixture.endedJob(receiver.url);
    await dispatchUntilEnded(jobId);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('status 200 completes the delivery although the body never ends', async () => {
    receiver.answer = (_, response) => response.writeHead(200).write('…');
    const jobId = await fixture.endedJob(receiver.url);
    await dispatchUntilEnded(jobId, SHORT_MS);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it.each([301, 302, 304, 307, 400, 404, 408, 410, 429])(
    'status %i fails the delivery without a retry',
    async (code) => {
      receiver.answer = status(code, { location: `${receiver.url}/elsewhere`, 'retry-after': '0' });
      const jobId = await fixture.endedJob(receiver.url);
      await dispatchUntilEnded(jobId);
      expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'failed', attempts: 1 });
      expect(receiver.received).toHaveLength(1);
    },
  );

  it.each([
    ['500', status(500), undefined, { statusCode: 500, error: null }],
    ['503', status(503), undefined, { statusCode: 503, error: null }],
    ['a hang', hang, SHORT_MS, { statusCode: null, error: 'it timed out' }],
    ['a reset', reset, undefined, { statusCode: null, error: 'the connection was cut' }],
  ] as const)(
    'the delivery is attempted four times on %s, with the same id and bytes',
    async (_, answer, timeoutMs, outcome) => {
      receiver.answer = answer;
      const jobId = await fixture.endedJob(receiver.url);
      await dispatchUntilEnded(jobId, timeoutMs);
      const delivery = await fixture.deliveryOf(jobId);
      expect(delivery).toMatchObject({ state: 'failed', attempts: 4 });
      expect(receiver.received).toHaveLength(4);
      expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery']))).toEqual(
        new Set([delivery.id]),
      );
      expect(new Set(receiver.received.map(({ body }) => String(body))).size).toBe(1);
      const attempts = await listWebhookAttempts(fixture.dataSource, fixture.accountId, delivery.id);
      expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      for (const attempt of attempts) expect(attempt).toMatchObject(outcome);
    },
  );

  it('the delivery is attempted four times when the connection is refused', async () => {
    const jobId = await fixture.endedJob(`http://127.0.0.1:${await deadPort()}/`);
    await dispatchUntilEnded(jobId);
    const { id } = await fixture.deliveryOf(jobId);
    const attempts = await listWebhookAttempts(fixture.dataSource, null, id);
    expect(attempts.map(({ error }) => error)).toEqual(Array(4).fill('the connection was refused'));
  });

  it('retries send the same bytes although the download URL would be signed differently', async () => {
    receiver.answer = status(500);
    let createdUrls = 0;
    const dispatcher = fixture.dispatcher({
      createDownloadUrl: async () => `https://store.example/${++createdUrls}`,
    });
    await fixture.endedJob(receiver.url);
    for (let round = 0; round < 4; round += 1) await dispatcher.dispatchOnce();
    expect(createdUrls).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => String(body))).size).toBe(1);
  });

  it('the next attempt waits for the backoff on the clock of the database', async () => {
    shiftClockOfProcess(-3_600);
    receiver.answer = status(500);
    const jobId = await fixture.endedJob(receiver.url);
    const dispatcher = fixture.dispatcher({ backoffSeconds: [5, 30, 120] });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await dispatcher.dispatchOnce()).toBe(1);
      expect(await dispatcher.dispatchOnce()).toBe(0);
      const [row] = (await fixture.dataSource.query(
        `SELECT extract(epoch FROM d.next_attempt_at - a.at)::float8 AS wait
         FROM webhook_delivery d JOIN webhook_attempt a ON a.delivery_id = d.id AND a.number = $1`,
        [attempt],
      )) as { wait: number }[];
      waits.push(row?.wait ?? 0);
      await fixture.dataSource.query('UPDATE webhook_delivery SET next_attempt_at = now()');
    }
    for (const [index, delay] of [5, 30, 120].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(delay);
      expect(waits[index]).toBeLessThanOrEqual(delay * 1.2);
    }
    expect(await dispatcher.dispatchOnce()).toBe(1);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'failed', attempts: 4 });
  });

  it('a retry succeeds when the receiver recovers', async () => {
    receiver.answer = (request, response) =>
      status(receiver.received.length < 3 ? 503 : 200)(request, response);
    const jobId = await fixture.endedJob(receiver.url);
    await dispatchUntilEnded(jobId);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 3 });
  });

  it('every attempt resolves the host name again and rejects a private address', async () => {
    receiver.answer = status(500);
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.1', '10.0.0.1'];
    const guard = new OutboundGuard({
      allow: ['127.0.0.1'],
      resolver: async () => [addresses.shift() ?? '::1'],
    });
    const client = new OutboundClient(guard);
    const jobId = await fixture.endedJob(`http://hooks.example:${receiver.port}/`);
    for (let round = 0; round < 4; round += 1) await fixture.dispatcher({ client }).dispatchOnce();
    const { id } = await fixture.deliveryOf(jobId);
    const attempts = await listWebhookAttempts(fixture.dataSource, null, id);
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([500, null, 500, null]);
    expect(attempts[1]?.error).toBe('the address must lead to public addresses only');
    expect(receiver.connections).toBe(2);
    await client.close();
  });

  it('attempts after a rotation are signed with the new secret', async () => {
    receiver.answer = status(500);
    await fixture.endedJob(receiver.url);
    const dispatcher = fixture.dispatcher({ backoffSeconds: [3_600] });
    await dispatcher.dispatchOnce();
    const old = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const { secret: renewed } = await fixture.secrets.rotate(fixture.accountId);
    await fixture.makeDue();
    await dispatcher.dispatchOnce();
    const signatures = receiver.received.map(({ body, headers }) =>
      [old, renewed].findIndex(
        (secret) =>
          headers['x-svc-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ),
    );
    expect(signatures).toEqual([0, 1]);
    expect(receiver.received.map(({ headers }) => headers['x-svc-signature-previous'])).toEqual([
      undefined,
      undefined,
    ]);
  });
});

/** As a receiver with a library of Standard Webhooks does. */
function computeStandardSignature(secret: string, request: Received | undefined): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = request?.headers ?? {};
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return `v1,${hmac.update(`${String(id)}.${String(timestamp)}.${request?.body.toString()}`).digest('base64')}`;
}
