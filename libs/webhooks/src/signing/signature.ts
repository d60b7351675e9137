import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** A signing secret as its owner sees and uses it: 32 random bytes behind a prefix. */
export function generateSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * Value of `X-SVC-Signature`: HMAC-SHA256 of the exact bytes.
 * @param secret the whole text as shown, prefix included
 */
export function signWebhook(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** What a receiver does; in constant time. */
export function verifyWebhookSignature(secret: string, body: Buffer, signature: string): boolean {
  const [expected, given] = [Buffer.from(signWebhook(secret, body)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
