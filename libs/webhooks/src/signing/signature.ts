import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** A prefix and 32 random bytes in base64url. */
export function generateSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Value of `X-SVC-Signature`: HMAC-SHA256 of the exact bytes. @param secret with its prefix */
export function signWebhook(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Example for receivers; compares in constant time. */
export function verifyWebhookSignature(secret: string, body: Buffer, signature: string): boolean {
  const [expected, given] = [Buffer.from(signWebhook(secret, body)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
