import { createHmac } from 'node:crypto';
import { purgeExpiredPreviousSigningSecrets } from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhooks } from '../../packages/client/src/resources/webhooks.js';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
  receiver = await startReceiver(status(200));
});
afterAll(async () => {
  await receiver?.close();
  await fixture?.close();
});

describe('a webhook after a rotation of its signing secret', () => {
  /** Sends a webhook and returns both signature headers. */
  const sendWebhook = async () => {
    const receivedBefore = receiver.received.length;
    await fixture.endedJob(receiver.url);
    await fixture.dispatcher().dispatchOnce();
    const received = receiver.received[receivedBefore] ?? expect.unreachable('a notification');
    const { 'x-svc-signature': current, 'x-svc-signature-previous': previous } = received.headers;
    return { body: received.body, headers: received.headers, current, previous };
  };
  const computeSignature = (secret: string, body: Buffer) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  it('the webhook is also signed with the previous secret until the overlap ends', async () => {
    const old = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const { secret, previousUntil } = await fixture.secrets.rotate(fixture.accountId, 3_600);
    const minutes = ((previousUntil?.getTime() ?? 0) - Date.now()) / 60_000;
    expect([minutes > 58, minutes < 62]).toEqual([true, true]);
    const within = await sendWebhook();
    expect([within.current, within.previous]).toEqual([
      computeSignature(secret, within.body),
      computeSignature(old, within.body),
    ]);

    await fixture.dataSource.query('UPDATE webhook_previous_secret SET expires_at = now()');
    const after = await sendWebhook();
    expect([after.current, after.previous]).toEqual([computeSignature(secret, after.body), undefined]);
    expect(await purgeExpiredPreviousSigningSecrets(fixture.dataSource)).toBe(1);
  });

  it('a rotation without overlap ends the overlap of the previous rotation', async () => {
    await fixture.secrets.readOrCreateSecret(fixture.accountId);
    await fixture.secrets.rotate(fixture.accountId, 3_600);
    const { secret, previousUntil } = await fixture.secrets.rotate(fixture.accountId);
    expect(previousUntil).toBeNull();
    const { body, current, previous } = await sendWebhook();
    expect([current, previous]).toEqual([computeSignature(secret, body), undefined]);
  });

  it('the client verifies the webhook and its time with either secret during the overlap', async () => {
    const old = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const { secret } = await fixture.secrets.rotate(fixture.accountId, 3_600);
    const { body, headers } = await sendWebhook();
    const webhooks = new Webhooks();
    const unwrap = (key: string) =>
      webhooks.unwrap(new Uint8Array(body), headers, key, { requireTimestamp: true });
    const expected = { event: 'completed', deliveryId: headers['x-svc-delivery'] };
    expect(await unwrap(old)).toMatchObject(expected);
    expect(await unwrap(secret)).toMatchObject(expected);
    await expect(unwrap('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).rejects.toMatchObject({
      failedCheck: 'signature',
    });
  });
});
