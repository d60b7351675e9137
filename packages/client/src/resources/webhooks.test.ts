import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WebhookVerificationError } from '../errors.js';
import { FakeService } from '../testing/fake-service.js';
import type { UnwrapOptions, WebhookHeaders } from './webhooks.js';

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
    for (const secret of ['', [], undefined as never])
      await expect(webhooks.unwrap(BODY, headers(sign('')), secret)).rejects.toThrow('secret is missing.');
  });
});

const TIMED_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_TIMED_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazzVEk4rP8k=';
const SENT_AT = 1_700_000_000;
const NOW = new Date(SENT_AT * 1000);
interface TimedWebhook {
  id?: string;
  timestamp?: number | string;
  body?: string;
}

const signTimed = (secret: string, { id = 'd1', timestamp = SENT_AT, body = BODY }: TimedWebhook = {}) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};
/** As the service sends both signatures. */
const timedHeaders = (changes: Record<string, string | undefined> = {}) => ({
  ...headers(sign(TIMED_SECRET)),
  'webhook-id': 'd1',
  'webhook-timestamp': String(SENT_AT),
  'webhook-signature': signTimed(TIMED_SECRET),
  ...changes,
});

describe('webhooks.unwrap of a webhook with the headers of Standard Webhooks', () => {
  const unwrap = (given: WebhookHeaders, secondsLater = 0, options: UnwrapOptions = {}, body = BODY) =>
    webhooks.unwrap(body, given, TIMED_SECRET, {
      now: new Date(NOW.getTime() + secondsLater * 1000),
      ...options,
    });

  it('accepts the example of the specification', async () => {
    const given = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const options = { now: new Date(1_614_265_330_000) };
    await expect(webhooks.unwrap('{"test": 2432232314}', given, TIMED_SECRET, options)).rejects.toMatchObject(
      { failedCheck: 'body' },
    );
  });

  it('returns the notification, and the id that is signed', async () => {
    const given = timedHeaders({ 'x-svc-delivery': 'not signed' });
    expect(await unwrap(given)).toEqual({
      event: 'completed',
      deliveryId: 'd1',
      notification: JSON.parse(BODY) as unknown,
    });
    expect(await unwrap(new Headers(given))).toMatchObject({ deliveryId: 'd1' });
  });

  it('accepts any of the signatures of a rotation, and any of several secrets', async () => {
    const rotated = timedHeaders({
      'webhook-signature': `${signTimed(OTHER_TIMED_SECRET)} v2,unknown ${signTimed(TIMED_SECRET)}`,
    });
    await expect(unwrap(rotated)).resolves.toBeDefined();
    const secrets = [OTHER_TIMED_SECRET, TIMED_SECRET];
    await expect(webhooks.unwrap(BODY, timedHeaders(), secrets, { now: NOW })).resolves.toBeDefined();
  });

  it('accepts the base64url of older secrets', async () => {
    const secret = 'whsec_-_-_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const given = timedHeaders({ 'webhook-signature': signTimed(secret) });
    await expect(webhooks.unwrap(BODY, given, secret, { now: NOW })).resolves.toBeDefined();
  });

  it.each([
    ['another body', { 'webhook-signature': signTimed(TIMED_SECRET, { body: `${BODY} ` }) }, 'signature'],
    ['another secret', { 'webhook-signature': signTimed(OTHER_TIMED_SECRET) }, 'signature'],
    ['another id', { 'webhook-id': 'd2' }, 'signature'],
    ['another time', { 'webhook-timestamp': String(SENT_AT + 1) }, 'signature'],
    ['no id', { 'webhook-id': undefined }, 'headers'],
    ['no time', { 'webhook-timestamp': undefined }, 'headers'],
    ['no signature', { 'webhook-signature': undefined }, 'headers'],
    ['an empty signature', { 'webhook-signature': '' }, 'headers'],
    [
      'another version of the signature',
      { 'webhook-signature': signTimed(TIMED_SECRET).replace('1', '2') },
      'headers',
    ],
    [
      'an id with a full stop',
      { 'webhook-id': 'd.1', 'webhook-signature': signTimed(TIMED_SECRET, { id: 'd.1' }) },
      'headers',
    ],
    [
      'a time that is no number',
      { 'webhook-timestamp': '1e9', 'webhook-signature': signTimed(TIMED_SECRET, { timestamp: '1e9' }) },
      'headers',
    ],
  ])('refuses %s although X-SVC-Signature is right', async (_, changes, failedCheck) => {
    const given = timedHeaders(changes);
    const error: unknown = await unwrap(given).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ failedCheck });
    expect(String(error)).not.toContain(TIMED_SECRET.slice('whsec_'.length));
  });

  it('refuses a body that was changed after it was signed', async () => {
    const changed = BODY.replace('completed', 'failed');
    const given = timedHeaders({ 'X-SVC-Signature': sign(TIMED_SECRET, changed) });
    await expect(unwrap(given, 0, {}, changed)).rejects.toMatchObject({ failedCheck: 'signature' });
  });

  it.each([301, -301])(
    'refuses an authentic webhook that arrives %i seconds after its time',
    async (later) => {
      await expect(unwrap(timedHeaders(), later)).rejects.toMatchObject({
        failedCheck: 'timestamp',
        message: `The time of the webhook is 301 seconds ${later < 0 ? 'in the future' : 'ago'}, of which 300 are allowed.`,
      });
      await expect(unwrap(timedHeaders(), later - Math.sign(later))).resolves.toBeDefined();
    },
  );

  it('compares the time with the clock', async () => {
    await expect(webhooks.unwrap(BODY, timedHeaders(), TIMED_SECRET)).rejects.toMatchObject({
      failedCheck: 'timestamp',
    });
  });

  it('allows another tolerance, or any time', async () => {
    await expect(unwrap(timedHeaders(), 11, { toleranceSeconds: 10 })).rejects.toThrow('11 seconds ago');
    await expect(unwrap(timedHeaders(), 1, { toleranceSeconds: 0 })).rejects.toThrow('1 seconds ago');
    await expect(unwrap(timedHeaders(), 3_600, { toleranceSeconds: 3_600 })).resolves.toBeDefined();
    await expect(unwrap(timedHeaders(), 1e9, { toleranceSeconds: null })).resolves.toBeDefined();
    for (const toleranceSeconds of [Number.NaN, -1])
      await expect(unwrap(timedHeaders(), 0, { toleranceSeconds })).rejects.toThrow('toleranceSeconds must');
    await expect(unwrap(timedHeaders(), 0, { now: new Date('none') })).rejects.toThrow('The time of');
  });

  it('refuses a webhook with X-SVC-Signature alone if it must have a time', async () => {
    const untimed = headers(sign(TIMED_SECRET));
    await expect(unwrap(untimed)).resolves.toBeDefined();
    await expect(unwrap(untimed, 0, { requireTimestamp: true })).rejects.toMatchObject({
      failedCheck: 'headers',
    });
    await expect(unwrap(timedHeaders(), 0, { requireTimestamp: true })).resolves.toBeDefined();
  });

  it.each(['whsec_', 'whsec_1', 'whsec_MfKQ!', 'MfKQ9r8GKYqrTwjU'])(
    'refuses the secret %s, whose key would be empty or another one',
    async (secret) => {
      const given = timedHeaders({ 'webhook-signature': signTimed(secret) });
      await expect(webhooks.unwrap(BODY, given, secret, { now: NOW })).rejects.toThrow(
        'secret must be whsec_ and base64',
      );
    },
  );
});
