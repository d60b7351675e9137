import type { WebhookDispatcherOptions } from '@app/webhooks';
import { Counter, Histogram, type Registry } from 'prom-client';

export function createWebhookAttemptRecorder(
  registry: Registry,
): NonNullable<WebhookDispatcherOptions['onAttempt']> {
  const attempts = new Counter({
    name: 'zephyr_webhook_attempts_total',
    help: 'Webhook attempts: `delivered`, `pending` (will be repeated) or `failed` (permanently).',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['delivered', 'pending', 'failed']) attempts.inc({ result }, 0);
  const seconds = new Histogram({
    name: 'zephyr_webhook_attempt_seconds',
    help: 'Time until a webhook attempt got a response or was given up.',
    labelNames: ['result'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 10],
    registers: [registry],
  });
  return ({ durationMs: ms }, { state }) => {
    attempts.inc({ result: state });
    seconds.observe({ result: state }, ms / 1000);
  };
}
