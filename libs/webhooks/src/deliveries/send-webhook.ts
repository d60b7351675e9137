import { type OutboundClient, toOutboundRequestError } from '@app/outbound';
import { signWebhook } from '../signing/signature.js';
import type { CurrentSigningSecrets } from '../signing/signing-secrets.js';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';

export interface WebhookAttemptResult {
  /** Null without a response. */
  statusCode: number | null;
  error: string | null;
  /** Milliseconds. */
  durationMs: number;
}

/** The response is unused; reading some of it lets the receiver finish writing. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Does not throw for failures of the receiver. */
export async function sendWebhook(
  client: OutboundClient,
  { id, event, url }: Pick<ClaimedDelivery, 'id' | 'event' | 'url'>,
  body: Buffer,
  { secret, previous, timeoutMs }: CurrentSigningSecrets & { timeoutMs: number },
): Promise<WebhookAttemptResult> {
  const startedAt = performance.now();
  const buildResult = (statusCode: number | null, error: string | null): WebhookAttemptResult => ({
    statusCode,
    error,
    durationMs: Math.round(performance.now() - startedAt),
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
    return buildResult(status, null);
  } catch (error) {
    return buildResult(null, toOutboundRequestError(error).message);
  }
}
