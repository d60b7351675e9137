import { OutboundClient, OutboundGuard, type Resolver } from '@app/outbound';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;
let client: OutboundClient;
let resolve: Resolver;
const failResolving: Resolver = () =>
  Promise.reject(Object.assign(new Error('queryA'), { code: 'ETIMEOUT' }));

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await startReceiver(status(200));
  const resolver: Resolver = (name) => resolve(name);
  client = new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'], resolver }));
});
afterEach(async () => {
  await client.close();
  await receiver.close();
  await fixture.clear();
});

async function dispatchDue(times: number): Promise<void> {
  const dispatcher = fixture.dispatcher({ client, backoffSeconds: [3_600, 3_600, 3_600] });
  for (let round = 0; round < times; round += 1) {
    await fixture.makeDue();
    expect(await dispatcher.dispatchOnce()).toBe(1);
  }
}

describe('a webhook while no name server responds', () => {
  it('is sent later, and uses up no attempts', async () => {
    const jobId = await fixture.endedJob(`http://hooks.example:${receiver.port}/`);
    fixture.warnings.length = 0;
    resolve = failResolving;
    await dispatchDue(5);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(fixture.warnings).toHaveLength(5);
    expect(fixture.warnings[0]).toMatchObject({ error: { message: expect.stringContaining('name server') } });
    resolve = async () => ['127.0.0.1'];
    await dispatchDue(1);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it('uses up attempts a day after its job has ended', async () => {
    const jobId = await fixture.endedJob(`http://hooks.example:${receiver.port}/`);
    await fixture.dataSource.query(`UPDATE webhook_delivery SET created_at = now() - interval '25 hours'`);
    resolve = failResolving;
    await dispatchDue(4);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'failed', attempts: 4 });
  });
});
