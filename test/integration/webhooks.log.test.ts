import { createHmac } from 'node:crypto';
import { inTransaction } from '@app/database';
import { purgeOldWebhookExchangesAndTests, replayDelivery } from '@app/webhooks';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deadPort, type Receiver, startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

const SCRIPT = '<script>alert(1)</script>';

let fixture: WebhookFixture;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await startReceiver(status(200, {}, SCRIPT));
});
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

const record = async () => undefined;

const createEndpoint = (path: string) =>
  fixture.endpoints.create(
    { accountId: fixture.accountId, createdBy: null },
    { url: `${receiver.url}${path}`, description: '', events: ['completed', 'failed'], enabled: true },
    record,
  );

async function failDeliveries(count: number): Promise<void> {
  receiver.answer = status(400);
  for (let job = 0; job < count; job += 1) await fixture.endedJob(null);
  await fixture.dispatcher().dispatchOnce();
}

const list = (filter = {}, page = { limit: 10, before: null as string | null }) =>
  fixture.log.list(fixture.accountId, filter, page);

describe('the log of webhook deliveries', () => {
  it('a test event is signed as others are, and its attempt is kept with request and response', async () => {
    const endpointId = await createEndpoint('/hook');
    const id = await fixture.endpoints.sendTest(fixture.accountId, endpointId, record);
    await fixture.dispatcher().dispatchOnce();
    const [request] = receiver.received;
    const body = JSON.stringify({ status: 'test', endpoint_id: endpointId });
    expect(String(request?.body)).toBe(body);
    const secret = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    expect(request?.headers).toMatchObject({ 'x-svc-event': 'test', 'x-svc-signature': signature });
    const { delivery, attempts } = await fixture.log.read(fixture.accountId, id);
    expect(delivery).toMatchObject({ id, jobId: null, endpointId, event: 'test', state: 'delivered' });
    expect(attempts).toMatchObject([
      {
        number: 1,
        statusCode: 200,
        error: null,
        exchange: {
          request: { body, headers: { 'x-svc-signature': signature, 'user-agent': 'Service-Webhook/1' } },
          answer: { body: SCRIPT, isTruncated: false },
        },
      },
    ]);
  });

  it('the answer is kept up to 2,048 bytes, and an attempt without an answer with its request', async () => {
    receiver.answer = status(503, {}, 'x'.repeat(100_000));
    const endpointId = await createEndpoint('/hook');
    const id = await fixture.endpoints.sendTest(fixture.accountId, endpointId, record);
    await fixture.dispatcher().dispatchOnce();
    const url = `http://127.0.0.1:${await deadPort()}/`;
    await fixture.endpoints.change(fixture.accountId, endpointId, { url }, record);
    await fixture.dispatcher().dispatchOnce();
    const { attempts } = await fixture.log.read(fixture.accountId, id);
    // A dispatch attempts again what is due again, also before the URL has changed.
    const [newest, oldest] = [attempts.at(0), attempts.at(-1)];
    expect(newest).toMatchObject({ error: 'the connection was refused', exchange: { answer: null } });
    expect(oldest).toMatchObject({
      number: 1,
      statusCode: 503,
      exchange: { answer: { body: 'x'.repeat(2_048), isTruncated: true } },
    });
    expect(newest?.exchange?.request.body).toBe(oldest?.exchange?.request.body);
  });

  it('request and response are encrypted, and bound to their attempt', async () => {
    const endpointId = await createEndpoint('/hook');
    const send = async () => {
      const id = await fixture.endpoints.sendTest(fixture.accountId, endpointId, record);
      await fixture.dispatcher().dispatchOnce();
      return id;
    };
    const [first, second] = [await send(), await send()];
    const rows = await fixture.dataSource.query<{ row: string }[]>(
      'SELECT t::text AS row FROM webhook_attempt t',
    );
    expect(rows).toHaveLength(2);
    for (const form of ['alert', Buffer.from('alert').toString('hex'), endpointId])
      expect(JSON.stringify(rows)).not.toContain(form);
    await fixture.dataSource.query(
      `UPDATE webhook_attempt SET sealed = (SELECT sealed FROM webhook_attempt WHERE delivery_id = $1) WHERE delivery_id = $2`,
      [first, second],
    );
    expect((await fixture.log.read(fixture.accountId, second)).attempts).toMatchObject([
      { number: 1, statusCode: 200, exchange: null, isUnreadable: true },
    ]);
  });

  it('an attempt whose encryption key is missing is listed as unreadable, and the others are readable', async () => {
    receiver.answer = status(503, {}, 'busy');
    const endpointId = await createEndpoint('/hook');
    const id = await fixture.endpoints.sendTest(fixture.accountId, endpointId, record);
    // A slow run may send the second attempt, which is due at once, with the first.
    const dispatcher = fixture.dispatcher({ backoffSeconds: [0, 3_600, 3_600] });
    await dispatcher.dispatchOnce();
    await dispatcher.dispatchOnce();
    await fixture.dataSource.query(
      `UPDATE webhook_attempt SET key_id = 'lost' WHERE delivery_id = $1 AND number = 1`,
      [id],
    );
    const { attempts } = await fixture.log.read(fixture.accountId, id);
    expect(attempts).toMatchObject([
      { number: 2, isUnreadable: false, exchange: { answer: { body: 'busy' } } },
      { number: 1, isUnreadable: true, exchange: null, statusCode: 503 },
    ]);
  });

  it('old requests and responses are deleted, their results are kept, and old test events are deleted', async () => {
    const endpointId = await createEndpoint('/hook');
    const test = await fixture.endpoints.sendTest(fixture.accountId, endpointId, record);
    await fixture.endedJob(null);
    await fixture.dispatcher().dispatchOnce();
    await purgeOldWebhookExchangesAndTests(fixture.dataSource, 30);
    const [job] = await list();
    const id = job?.id ?? '';
    expect((await fixture.log.read(fixture.accountId, id)).attempts[0]?.exchange).not.toBeNull();
    await fixture.dataSource.query(`UPDATE webhook_attempt SET at = at - interval '31 days'`);
    await fixture.dataSource.query(
      `UPDATE webhook_delivery SET finished_at = finished_at - interval '31 days'`,
    );
    expect(await purgeOldWebhookExchangesAndTests(fixture.dataSource, 30, 1)).toBe(true);
    expect(await purgeOldWebhookExchangesAndTests(fixture.dataSource, 30)).toBe(false);
    await expect(fixture.log.read(fixture.accountId, test)).rejects.toMatchObject({
      code: 'no_such_resource',
    });
    const { attempts } = await fixture.log.read(fixture.accountId, id);
    expect(attempts).toMatchObject([{ number: 1, statusCode: 200, exchange: null }]);
  });

  it('lists pages and filters, of the own account only', async () => {
    const [one, two] = [await createEndpoint('/one'), await createEndpoint('/two')];
    await failDeliveries(2);
    const jobId = await fixture.endedJob(null);
    expect(await list()).toHaveLength(6);
    const first = await list({}, { limit: 4, before: null });
    const second = await list({}, { limit: 4, before: first[3]?.id ?? null });
    expect([...first, ...second].map(({ id }) => id)).toEqual((await list()).map(({ id }) => id));
    expect(await list({ state: 'failed' })).toHaveLength(4);
    expect(await list({ endpointId: one, state: 'pending' })).toMatchObject([
      { jobId, lastStatusCode: null },
    ]);
    expect(await list({ endpointId: two, jobId, state: 'pending' })).toHaveLength(1);
    expect(await list({ endpointId: two, jobId, state: 'failed' })).toEqual([]);
    const other = await fixture.anotherAccount();
    expect(await fixture.log.list(other, {}, { limit: 10, before: null })).toEqual([]);
    await expect(fixture.log.read(other, first[0]?.id ?? '')).rejects.toMatchObject({
      code: 'no_such_resource',
    });
  });
});

describe('replaying by members', () => {
  it('replays one that has ended, and says why it does not', async () => {
    const endpointId = await createEndpoint('/hook');
    await failDeliveries(1);
    const [delivery] = await list();
    const id = delivery?.id ?? '';
    const replay = (accountId = fixture.accountId, deliveryId = id) =>
      fixture.log.replay(accountId, deliveryId, record);
    await replay();
    await expect(replay()).rejects.toMatchObject({
      code: 'conflict',
      detail: 'The delivery is still pending.',
    });
    await fixture.dispatcher().dispatchOnce();
    await expect(replay(await fixture.anotherAccount())).rejects.toMatchObject({ code: 'no_such_resource' });
    await expect(replay(fixture.accountId, uuidv7())).rejects.toMatchObject({ code: 'no_such_resource' });
    await fixture.endpoints.change(fixture.accountId, endpointId, { enabled: false }, record);
    await expect(replay()).rejects.toMatchObject({ detail: 'Its endpoint is disabled or deleted.' });
    expect(receiver.received).toHaveLength(2);
  });

  it('says of one that was replayed at the same moment that it is pending', async () => {
    receiver.answer = status(404);
    const jobId = await fixture.endedJob(receiver.url);
    await fixture.dispatcher().dispatchOnce();
    const { id } = await fixture.deliveryOf(jobId);
    let second: Promise<unknown> | undefined;
    await inTransaction(fixture.dataSource, async (tx) => {
      expect(await replayDelivery(tx, fixture.accountId, id)).toBe(true);
      second = fixture.log.replay(fixture.accountId, id, record).catch((error: unknown) => error);
      const listWaiting = () =>
        fixture.dataSource.query<unknown[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
      await expect.poll(listWaiting, { timeout: 10_000, interval: 5 }).not.toEqual([]);
    });
    expect(await second).toMatchObject({ code: 'conflict', detail: 'The delivery is still pending.' });
  });

  it('replays all that failed, of an endpoint or of the account, without test events and disabled endpoints', async () => {
    const [one, two, off] = [
      await createEndpoint('/one'),
      await createEndpoint('/two'),
      await createEndpoint('/off'),
    ];
    await fixture.endpoints.sendTest(fixture.accountId, one, record);
    await failDeliveries(2);
    await fixture.endpoints.change(fixture.accountId, off, { enabled: false }, record);
    const replayed: number[] = [];
    const replay = (endpointId: string | null, accountId = fixture.accountId) =>
      fixture.log.replayFailed(accountId, endpointId, async (_, count) => void replayed.push(count));
    expect(await replay(null, await fixture.anotherAccount())).toEqual({ replayed: 0, hasMore: false });
    expect(await replay(one)).toEqual({ replayed: 2, hasMore: false });
    expect((await list({ state: 'pending' })).map(({ endpointId }) => endpointId)).toEqual([one, one]);
    expect(await replay(null)).toEqual({ replayed: 2, hasMore: false });
    expect(await list({ endpointId: two, state: 'pending' })).toHaveLength(2);
    expect(replayed).toEqual([2, 2]);
  });
});
