import { describe, expect, it } from 'vitest';
import {
  generateSigningSecret,
  computeStandardWebhookSignatures,
  computeWebhookBodySignature,
  verifyWebhookBodySignature,
} from './signature.js';

describe('webhook signatures', () => {
  it('are the HMAC-SHA256 of the body in hex', () => {
    // Test case 2 of RFC 4231.
    expect(computeWebhookBodySignature('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('are valid only for the exact bytes and secret', () => {
    const [secret, body] = [generateSigningSecret(), Buffer.from('{"job_id":"ä"}')];
    const signature = computeWebhookBodySignature(secret, body);
    expect(verifyWebhookBodySignature(secret, body, signature)).toBe(true);
    expect(verifyWebhookBodySignature(secret, Buffer.from('{"job_id": "ä"}'), signature)).toBe(false);
    expect(verifyWebhookBodySignature(generateSigningSecret(), body, signature)).toBe(false);
    expect(verifyWebhookBodySignature(secret, body, signature.slice(7))).toBe(false);
  });

  it('use secrets of 32 random bytes', () => {
    const secret = generateSigningSecret();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(generateSigningSecret()).not.toBe(secret);
  });

  it('by Standard Webhooks cover the id, the time and the body', () => {
    // The example of the specification of Standard Webhooks.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: Buffer.from('{"test": 2432232314}'),
    };
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(computeStandardWebhookSignatures([secret], webhook)).toBe(signature);
    expect(computeStandardWebhookSignatures([generateSigningSecret(), secret], webhook)).toMatch(
      /^v1,[\w+/]{43}= v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE=$/,
    );
  });
});
