import { WebhookVerificationError } from '../errors.js';
import type { JobNotification } from '../types.js';

/** Headers as `fetch` or as Node's servers give them. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type Webhook =
  | {
      event: 'completed' | 'failed';
      /** The same for every attempt: ignore a webhook whose id you have seen. */
      deliveryId: string;
      notification: JobNotification;
    }
  | { event: 'test'; deliveryId: string; notification: { status: 'test'; endpoint_id: string } };

const SIGNATURE_HEADERS = ['x-svc-signature', 'x-svc-signature-previous'];

export class Webhooks {
  /**
   * Verifies a webhook and parses its body. During a rotation, it accepts the signature of either secret.
   * @param rawBody exactly what arrived, before any parsing
   * @param secret of the account, including `whsec_`; several while a new one is being introduced
   * @throws WebhookVerificationError
   */
  async unwrap(
    rawBody: string | Uint8Array<ArrayBuffer>,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<Webhook> {
    const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
    if (!(body instanceof Uint8Array))
      throw new TypeError('rawBody must be the text or the bytes of the request, not its parsed body.');
    const secrets = typeof secret === 'string' ? [secret] : secret;
    if (secrets.length === 0 || secrets.some((each) => !each))
      throw new TypeError('secret must not be empty.');
    const signatures = SIGNATURE_HEADERS.map((name) => parseSignature(getHeader(headers, name)));
    const checks = secrets.flatMap((each) =>
      signatures.map((signature) => isSignedBy(each, body, signature)),
    );
    if (!(await Promise.all(checks)).includes(true))
      throw new WebhookVerificationError('The signature of the webhook is missing or wrong.');
    return parseWebhook(body, getHeader(headers, 'x-svc-delivery'));
  }
}

function getHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof entry?.[1] === 'string' ? entry[1] : entry?.[1]?.[0];
}

/** @returns the bytes of `sha256=HEX` */
function parseSignature(header: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  return hex === undefined
    ? undefined
    : Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** In constant time, as WebCrypto compares. */
async function isSignedBy(
  secret: string,
  body: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer> | undefined,
): Promise<boolean> {
  if (signature === undefined) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ]);
  return crypto.subtle.verify('HMAC', key, signature, body);
}

function parseWebhook(body: Uint8Array, deliveryId: string | undefined): Webhook {
  try {
    const notification = JSON.parse(new TextDecoder().decode(body)) as Webhook['notification'];
    if (deliveryId !== undefined && typeof notification.status === 'string')
      return { event: notification.status, deliveryId, notification } as Webhook;
  } catch {
    // Below.
  }
  throw new WebhookVerificationError('The webhook is signed, but is no notification of a job.');
}
