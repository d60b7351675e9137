import { withJobSpan } from '@app/runtime';
import type { WebhookDispatcherOptions } from '@app/webhooks';

/** A span around each attempt, in the trace of its job. The URL of the receiver may contain a secret. */
export const traceWebhookAttempt: NonNullable<WebhookDispatcherOptions['traceAttempt']> = (
  delivery,
  send,
) => {
  const { id, jobId, event, traceparent, totalAttemptCount, url } = delivery;
  const attributes = {
    'zephyr.delivery_id': id,
    'zephyr.event': event,
    'zephyr.attempt': totalAttemptCount + 1,
    'server.address': new URL(url).hostname,
    ...(jobId !== null && { 'zephyr.job_id': jobId }),
  };
  return withJobSpan('send webhook', traceparent, { attributes }, send);
};
