import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FakeService } from '../testing/fake-service.js';

const SECRET = 'whsec_current';
const BODY = '{"job_id":"j", "status":"completed","download_url":null}';
const sign = (secret: string, body = BODY) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const { webhooks } = new FakeService({}).client();
const headers = (signature: string, previous?: string) => ({
  'X-SVC-Signature': signature,
  'x-svc-delivery': 'd1',
  ...(previous === undefined ? {} : { 'X-SVC-Signature-Previous': previous }),
});

describe('webhooks.unwrap', () => {
  it('returns the notification of a signed body, as text or bytes', async () => {
    const expected = { event: 'completed', deliveryId: 'd1', notification: JSON.parse(BODY) as unknown };
    expect(await webhooks.unwrap(BODY, headers(sign(SECRET)), SECRET)).toEqual(expected);
    const bytes = new TextEncoder().encode(BODY);
    expect(await webhooks.unwrap(bytes, new Headers(headers(sign(SECRET))), SECRET)).toEqual(expected);
  });

  it('accepts the previous secret during a rotation, and any of several secrets', async () => {
    const rotated = headers(sign('whsec_new'), sign(SECRET));
    await expect(webhooks.unwrap(BODY, rotated, SECRET)).resolves.toBeDefined();
    await expect(webhooks.unwrap(BODY, headers(sign(SECRET)), ['whsec_new', SECRET])).resolves.toBeDefined();
  });

  it.each([
    ['another body', headers(sign(SECRET, `${BODY} `))],
    ['another secret', headers(sign('whsec_other'))],
    ['no signature', { 'x-svc-delivery': 'd1' }],
    ['a malformed signature', headers('sha256=12')],
  ])('refuses %s', async (_, given) => {
    await expect(webhooks.unwrap(BODY, given, SECRET)).rejects.toThrow('The signature of the webhook');
  });

  it('refuses a parsed body and an empty secret', async () => {
    await expect(webhooks.unwrap({} as never, headers(sign(SECRET)), SECRET)).rejects.toThrow(
      'rawBody must be',
    );
    await expect(webhooks.unwrap(BODY, headers(sign('')), '')).rejects.toThrow('secret must not be empty.');
  });
});
