import {
  findWebhookHoldStart,
  holdAllWebhookDeliveries,
  readWebhookBacklog,
  releaseAllWebhookDeliveries,
} from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;
beforeAll(async () => {
  [fixture, receiver] = await Promise.all([WebhookFixture.open(), startReceiver(status(200))]);
  await fixture.dataSource.query(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
});
afterAll(async () => {
  await receiver?.close();
  await fixture?.close();
});

describe('held webhooks', () => {
  it('held webhooks stay pending and are sent after their release', async () => {
    const earlierJobId = await fixture.endedJob(receiver.url);
    await holdAllWebhookDeliveries(fixture.dataSource);
    const since = await findWebhookHoldStart(fixture.dataSource);
    await holdAllWebhookDeliveries(fixture.dataSource);
    expect(await findWebhookHoldStart(fixture.dataSource)).toEqual(since);
    const laterJobId = await fixture.endedJob(receiver.url);
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    for (const id of [earlierJobId, laterJobId])
      expect(await fixture.deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(receiver.received).toEqual([]);

    expect(await releaseAllWebhookDeliveries(fixture.dataSource)).toBe(true);
    expect(await releaseAllWebhookDeliveries(fixture.dataSource)).toBe(false);
    expect(await findWebhookHoldStart(fixture.dataSource)).toBeNull();
    expect(await fixture.dispatcher().dispatchOnce()).toBe(2);
    for (const id of [earlierJobId, laterJobId])
      expect(await fixture.deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('held webhooks are pending, but none of them is due', async () => {
    await fixture.endedJob(receiver.url);
    await fixture.dataSource.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() - interval '1 hour' WHERE state = 'pending'`,
    );
    await holdAllWebhookDeliveries(fixture.dataSource);
    expect(await readWebhookBacklog(fixture.dataSource)).toEqual({ pending: 1, oldestDueSeconds: 0 });
    await releaseAllWebhookDeliveries(fixture.dataSource);
    const { pending, oldestDueSeconds } = await readWebhookBacklog(fixture.dataSource);
    expect(pending).toBe(1);
    expect(oldestDueSeconds).toBeGreaterThanOrEqual(3_600);
  });
});
