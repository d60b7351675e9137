import { type OutboundClient, toOutboundRequestError } from '@app/outbound';
import { computeStandardWebhookSignatures, computeWebhookBodySignature } from '../signing/signature.js';
import type { ValidSigningSecrets } from '../signing/webhook-signing-secret.service.js';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';
import { toResponseExcerpt, type WebhookExchange } from './webhook-exchange.js';

export interface WebhookAttemptResult {
  /** Null without a response. */
  statusCode: number | null;
  error: string | null;
  /** As of `OutboundRequestError`. */
  ownFailure: string | null;
  /** Milliseconds. */
  durationMs: number;
  exchange: WebhookExchange;
}

/** More than is kept of the response, because reading some of it lets the receiver finish writing. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Does not throw for failures of the receiver. */
export async function sendWebhook(
  client: OutboundClient,
  { id, event, url }: Pick<ClaimedDelivery, 'id' | 'event' | 'url'>,
  body: Buffer,
  { secret, previous, timeoutMs }: ValidSigningSecrets & { timeoutMs: number },
): Promise<WebhookAttemptResult> {
  const timestamp = Math.floor(Date.now() / 1000);
  const secrets = [secret, ...(previous === null ? [] : [previous])];
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1',
    'x-svc-signature': computeWebhookBodySignature(secret, body),
    ...(previous !== null && { 'x-svc-signature-previous': computeWebhookBodySignature(previous, body) }),
    'x-svc-event': event,
    'x-svc-delivery': id,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': computeStandardWebhookSignatures(secrets, { id, timestamp, body }),
  };
  const request = { headers, body: body.toString() };
  const startedAt = performance.now();
  const measureMs = () => Math.round(performance.now() - startedAt);
  try {
    const { status, body: answer } = await client.request({
      ...{ url, method: 'POST', headers, body, timeoutMs },
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    const exchange = { request, answer: toResponseExcerpt(answer) };
    return { statusCode: status, error: null, ownFailure: null, durationMs: measureMs(), exchange };
  } catch (error) {
    const { message, ownFailure } = toOutboundRequestError(error);
    const exchange = { request, answer: null };
    return { statusCode: null, error: message, ownFailure, durationMs: measureMs(), exchange };
  }
}
