import { inTransaction } from '@app/database';
import {
  listWebhookDeliveriesForOperator,
  listWebhookAttempts,
  replayDelivery,
  replayFailedDeliveries,
  SELECT_FAILED_DELIVERIES_SQL,
} from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { readPlan } from '../support/query-plan.js';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { COMPLETED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await startReceiver(status(500));
});
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

async function createFailedDelivery(): Promise<string> {
  const jobId = await fixture.endedJob(receiver.url);
  for (let attempt = 0; attempt < 4; attempt += 1) await fixture.dispatcher().dispatchOnce();
  const { id, state } = await fixture.deliveryOf(jobId);
  expect(state).toBe('failed');
  return id;
}

function replay(accountId: string, id: string): Promise<boolean> {
  return inTransaction(fixture.dataSource, (tx) => replayDelivery(tx, accountId, id));
}

describe('replaying a webhook', () => {
  it('the replay has the same id, a new download URL and four attempts', async () => {
    const id = await createFailedDelivery();
    const { dataSource: db, accountId } = fixture;
    expect(await replay(accountId, id)).toBe(true);
    const dispatcher = fixture.dispatcher({ createDownloadUrl: async () => 'https://store.example/fresh' });
    for (let attempt = 0; attempt < 5; attempt += 1) await dispatcher.dispatchOnce();
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery']))).toEqual(new Set([id]));
    expect(String(receiver.received[7]?.body)).toContain('https://store.example/fresh');

    expect(await replay(accountId, id)).toBe(true);
    receiver.answer = status(200);
    await dispatcher.dispatchOnce();
    const attempts = await listWebhookAttempts(db, accountId, id);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await listWebhookDeliveriesForOperator(db, accountId)).toMatchObject([
      { id, state: 'delivered', attempts: 9 },
    ]);
  });

  it('the replay is rejected for a pending, unknown or foreign delivery', async () => {
    const { dataSource: db, accountId } = fixture;
    const jobId = await fixture.endedJob(receiver.url);
    const { id: pending } = await fixture.deliveryOf(jobId);
    expect(await replay(accountId, pending)).toBe(false);
    const ended = await createFailedDelivery();
    const other = await fixture.anotherAccount();
    expect(await replay(other, ended)).toBe(false);
    expect(await listWebhookAttempts(db, other, ended)).toEqual([]);
    expect(await replay(accountId, uuidv7())).toBe(false);
    expect(await replay(accountId, ended)).toBe(true);
  });
});

describe('replaying failed webhooks, some at a time', () => {
  it('those that fail again come last', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await createFailedDelivery());
    const { dataSource: db, accountId } = fixture;
    const replayed: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const filter = { since: null, endpointId: null, limit: 1 };
      expect(await inTransaction(db, (tx) => replayFailedDeliveries(tx, accountId, filter))).toBe(1);
      const [pending] = await listWebhookDeliveriesForOperator(db, accountId, { state: 'pending' });
      replayed.push(pending?.id ?? '');
      for (let attempt = 0; attempt < 4; attempt += 1) await fixture.dispatcher().dispatchOnce();
    }
    expect(replayed).toEqual(ids);
  });

  it('they are found in order, without sorting all that failed', async () => {
    const values = [`'${fixture.accountId}'`, 'NULL', 'NULL', '1000'];
    const statement = SELECT_FAILED_DELIVERIES_SQL.replaceAll(
      /\$(\d)/g,
      (_, number) => values[Number(number) - 1] ?? '',
    );
    const plan = await inTransaction(fixture.dataSource, async (tx) => {
      await tx.query('SET LOCAL enable_sort = off');
      return readPlan(tx, `EXPLAIN ${statement}`);
    });
    expect(plan).toContain('webhook_delivery_failed_at');
    expect(plan).not.toContain('Sort');
  });
});

describe('listWebhookDeliveriesForOperator', () => {
  it('the list contains the deliveries of the account, newest first, in pages', async () => {
    const other = await fixture.anotherAccount();
    const jobs: string[] = [];
    for (let job = 0; job < 5; job += 1) jobs.unshift(await fixture.endedJob(receiver.url));
    const otherJobId = await fixture.endedJob(receiver.url, COMPLETED, other);
    const { dataSource: db, accountId } = fixture;
    const first = await listWebhookDeliveriesForOperator(db, accountId, { limit: 3 });
    const second = await listWebhookDeliveriesForOperator(db, accountId, { limit: 3, before: first[2]?.id });
    expect([...first, ...second].map(({ jobId }) => jobId)).toEqual(jobs);
    expect(await listWebhookDeliveriesForOperator(db, other)).toMatchObject([{ jobId: otherJobId }]);
    expect(await listWebhookDeliveriesForOperator(db, null)).toHaveLength(6);
    expect(await listWebhookDeliveriesForOperator(db, accountId, { state: 'failed' })).toEqual([]);
  });
});
