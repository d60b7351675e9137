import type { OutboundClient } from '../outbound/outbound-client.js';
import { toOutboundRequestError } from '../outbound/outbound-request-error.js';
import { signWebhook } from '../signing/signature.js';
import type { CurrentSecrets } from '../signing/signing-secrets.js';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';

/** What came of one attempt. */
export interface AttemptResult {
  /** Null when no answer came. */
  statusCode: number | null;
  /** Why none came. */
  error: string | null;
  /** Milliseconds. */
  durationMs: number;
}

/** Nobody reads the answer; a little of it is taken in so that a receiver can end its sentence. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** One POST; never throws for what the receiver does. */
export async function sendWebhook(
  client: OutboundClient,
  { id, event, url }: Pick<ClaimedDelivery, 'id' | 'event' | 'url'>,
  body: Buffer,
  { secret, previous, timeoutMs }: CurrentSecrets & { timeoutMs: number },
): Promise<AttemptResult> {
  const began = performance.now();
  const outcome = (statusCode: number | null, error: string | null): AttemptResult => ({
    statusCode,
    error,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const { status } = await client.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhook/1',
        'x-svc-signature': signWebhook(secret, body),
        ...(previous !== null && { 'x-svc-signature-previous': signWebhook(previous, body) }),
        'x-svc-event': event,
        'x-svc-delivery': id,
      },
      body,
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return outcome(status, null);
  } catch (error) {
    return outcome(null, toOutboundRequestError(error).message);
  }
}
