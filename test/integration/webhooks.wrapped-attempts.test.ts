import type { WebhookDispatcherOptions } from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { traceWebhookAttempt } from '../../apps/processor/src/webhooks/trace-webhook-attempt.js';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;
beforeAll(async () => void (fixture = await WebhookFixture.open()));
afterAll(() => fixture.close());
beforeEach(async () => void (receiver = await startReceiver(status(200))));
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

describe('a webhook whose attempts are wrapped', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('planted');
      },
    ],
    ['rejects', () => Promise.reject(new Error('planted'))],
  ])('an attempt whose wrapper %s is logged, and the others are sent', async (_, fail) => {
    const failing = await fixture.endedJob(receiver.url);
    const other = await fixture.endedJob(receiver.url);
    fixture.warnings.length = 0;
    const wrapAttempt: WebhookDispatcherOptions['wrapAttempt'] = ({ jobId }, attempt) =>
      jobId === failing ? fail() : attempt();
    expect(await fixture.dispatcher({ wrapAttempt }).dispatchOnce()).toBe(2);
    expect(receiver.received.map(({ body }) => JSON.parse(String(body)))).toMatchObject([{ job_id: other }]);
    expect(fixture.warnings).toMatchObject([{ job_id: failing, error: { message: 'planted' } }]);
  });

  it('an address that cannot be parsed fails its own delivery, and the others are sent', async () => {
    const broken = await fixture.endedJob(receiver.url);
    await fixture.dataSource.query(`UPDATE webhook_delivery SET url = 'no address'`);
    const other = await fixture.endedJob(receiver.url);
    const dispatcher = fixture.dispatcher({ wrapAttempt: traceWebhookAttempt });
    for (let attempt = 1; attempt <= 4; attempt += 1) await dispatcher.dispatchOnce();
    expect(await fixture.deliveryOf(broken)).toMatchObject({ state: 'failed', attempts: 4 });
    expect(await fixture.deliveryOf(other)).toMatchObject({ state: 'delivered' });
  });
});
