import { describe, expect, it } from 'vitest';
import { Zephyr } from 'zephyr-client';
import { createWebhookHeaders } from './create-webhook-headers.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"job_id":"j","status":"completed","download_url":"ä"}';
const { webhooks } = new Zephyr({ baseUrl: 'http://fake', apiKey: 'key' });

describe('createWebhookHeaders', () => {
  const headers = createWebhookHeaders(SECRET, {
    deliveryId: 'd1',
    event: 'completed',
    body: BODY,
    sentAt: new Date(),
  });

  it('signs the time, which the client requires', async () => {
    const webhook = await webhooks.unwrap(BODY, headers, SECRET, { requireTimestamp: true });
    expect(webhook).toMatchObject({ event: 'completed', deliveryId: 'd1' });
  });

  it('also has the signature without time', async () => {
    const untimed = {
      'x-svc-signature': headers['x-svc-signature'],
      'x-svc-delivery': headers['x-svc-delivery'],
    };
    expect(await webhooks.unwrap(BODY, untimed, SECRET)).toMatchObject({ deliveryId: 'd1' });
  });
});
