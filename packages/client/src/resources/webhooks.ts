import { WebhookVerificationError } from '../errors.js';
import type { JobNotification } from '../types.js';
import {
  type GetHeader,
  isBodyOnlySignatureValid,
  isStandardWebhookSignatureValid,
  hasAnyStandardWebhookHeader,
  parseStandardWebhookHeaders,
} from './webhook-signatures.js';

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

export interface UnwrapOptions {
  /**
   * How far `webhook-timestamp` may be from now, in the past and in the future. 300 by default; null accepts
   * any time.
   */
  toleranceSeconds?: number | null;
  /**
   * Refuses a webhook without the headers of Standard Webhooks. `X-SVC-Signature` contains no time: whoever has a
   * copy of a webhook can leave the other headers out and send it again at any time.
   */
  requireTimestamp?: boolean;
  /** For tests. */
  now?: Date;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

export class Webhooks {
  /**
   * Verifies a webhook and parses its body. Verifies `webhook-signature` and its time if the webhook has one of
   * the headers of Standard Webhooks, otherwise `X-SVC-Signature`. During a rotation, it accepts the signature of
   * either secret.
   * @param rawBody exactly what arrived, before any parsing
   * @param secret of the account, including `whsec_`; several while a new one is being introduced
   * @throws WebhookVerificationError
   */
  async unwrap(
    rawBody: string | Uint8Array<ArrayBuffer>,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    options: UnwrapOptions = {},
  ): Promise<Webhook> {
    const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
    if (!(body instanceof Uint8Array))
      throw new TypeError('rawBody must be the text or the bytes of the request, not its parsed body.');
    // Programs without types pass on a variable that is not set.
    const secrets = typeof secret === 'string' ? [secret] : ((secret as readonly string[] | undefined) ?? []);
    if (secrets.length === 0 || secrets.some((each) => !each)) throw new TypeError('secret is missing.');
    const getHeader: GetHeader = (name) => findHeader(headers, name);
    if (options.requireTimestamp || hasAnyStandardWebhookHeader(getHeader))
      return parseWebhook(body, await verifyTimedSignature(secrets, body, getHeader, options));
    if (!(await isBodyOnlySignatureValid(secrets, getHeader, body)))
      throw new WebhookVerificationError('The signature of the webhook is missing or wrong.', 'signature');
    return parseWebhook(body, getHeader('x-svc-delivery'));
  }
}

/** @returns the id of the delivery, from the header that is signed */
async function verifyTimedSignature(
  secrets: readonly string[],
  body: Uint8Array<ArrayBuffer>,
  getHeader: GetHeader,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: UnwrapOptions,
): Promise<string> {
  if (toleranceSeconds !== null && !(toleranceSeconds >= 0))
    throw new TypeError('toleranceSeconds must be a number from 0, or null.');
  const timed = parseStandardWebhookHeaders(getHeader);
  if (timed === undefined)
    throw new WebhookVerificationError(
      'webhook-id, webhook-timestamp or webhook-signature is missing or malformed.',
      'headers',
    );
  if (!(await isStandardWebhookSignatureValid(secrets, timed, body)))
    throw new WebhookVerificationError('webhook-signature of the webhook is wrong.', 'signature');
  const ageSeconds = now.getTime() / 1000 - Number(timed.timestamp);
  // Not `>`, which an invalid date would pass.
  if (toleranceSeconds !== null && !(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      `The time of the webhook is ${Math.abs(Math.round(ageSeconds))} seconds ${ageSeconds < 0 ? 'in the future' : 'ago'}, \
of which ${toleranceSeconds} are allowed.`,
      'timestamp',
    );
  return timed.id;
}

function findHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof entry?.[1] === 'string' ? entry[1] : entry?.[1]?.[0];
}

function parseWebhook(body: Uint8Array, deliveryId: string | undefined): Webhook {
  try {
    const notification = JSON.parse(new TextDecoder().decode(body)) as Webhook['notification'];
    if (deliveryId !== undefined && typeof notification.status === 'string')
      return { event: notification.status, deliveryId, notification } as Webhook;
  } catch {
    // Below.
  }
  throw new WebhookVerificationError('The webhook is signed, but is no notification of a job.', 'body');
}
