import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** A prefix and 32 random bytes in base64, as Standard Webhooks expects. */
export function generateSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/** Value of `X-SVC-Signature`: HMAC-SHA256 of the exact bytes. @param secret with its prefix */
export function computeWebhookBodySignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export interface StandardWebhookMessage {
  /** The same for every attempt. */
  id: string;
  /** Time of the attempt, in seconds since 1970: receivers reject old ones. */
  timestamp: number;
  body: Buffer;
}

/**
 * Value of `webhook-signature` by the Standard Webhooks scheme, which covers id and time, too.
 * @param secrets with their prefix; of older ones the rest is base64url
 */
export function computeStandardWebhookSignatures(
  secrets: readonly string[],
  { id, timestamp, body }: StandardWebhookMessage,
): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return signatures.join(' ');
}

/** Example for receivers; compares in constant time. */
export function verifyWebhookBodySignature(secret: string, body: Buffer, signature: string): boolean {
  const [expected, given] = [Buffer.from(computeWebhookBodySignature(secret, body)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
