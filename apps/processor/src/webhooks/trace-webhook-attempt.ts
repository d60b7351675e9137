import { withJobSpan } from '@app/runtime';
import type { WebhookDispatcherOptions } from '@app/webhooks';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** A span around each attempt, in the trace of its job. The URL of the receiver may contain a secret. */
export const traceWebhookAttempt: NonNullable<WebhookDispatcherOptions['wrapAttempt']> = (
  delivery,
  attempt,
) => {
  const { id, jobId, event, traceparent, totalAttemptCount } = delivery;
  // The attempt itself reports a URL that cannot be read.
  const url = URL.canParse(delivery.url) ? new URL(delivery.url) : null;
  const attributes = {
    'zephyr.delivery_id': id,
    'zephyr.event': event,
    'zephyr.attempt': totalAttemptCount + 1,
    'http.request.method': 'POST',
    ...(url && {
      'server.address': url.hostname,
      'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    }),
    ...(jobId !== null && { 'zephyr.job_id': jobId }),
  };
  return withJobSpan('send webhook', traceparent, { kind: SpanKind.CLIENT, attributes }, attempt);
};

/** Writes the result of the attempt into its span. */
export const recordWebhookResultInSpan: NonNullable<WebhookDispatcherOptions['onAttempt']> = (
  { statusCode },
  { state },
) => {
  const span = trace.getActiveSpan();
  if (statusCode !== null) span?.setAttribute('http.response.status_code', statusCode);
  if (state === 'delivered') return;
  // The error of a connection is a text, which may name its address.
  span?.setAttribute('error.type', statusCode === null ? 'no_response' : String(statusCode));
  span?.setStatus({ code: SpanStatusCode.ERROR });
};
