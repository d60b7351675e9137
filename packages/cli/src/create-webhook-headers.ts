import { createHmac } from 'node:crypto';

export interface ForwardedWebhookMessage {
  /** The same for every attempt. */
  deliveryId: string;
  event: 'completed' | 'failed';
  body: string;
  sentAt: Date;
}

/** The headers that the service sends, with both signatures. @param secret `whsec_` and base64 */
export function createWebhookHeaders(
  secret: string,
  { deliveryId, event, body, sentAt }: ForwardedWebhookMessage,
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1',
    'x-svc-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-svc-event': event,
    'x-svc-delivery': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
