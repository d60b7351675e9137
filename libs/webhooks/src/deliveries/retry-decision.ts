import type { DeliveryState } from '@app/database';
import type { WebhookAttemptResult } from './send-webhook.js';

export interface DeliveryRetryDecision {
  state: DeliveryState;
  /** Set if `pending`. */
  delaySeconds: number;
}

/** Random share added to delays, so that deliveries that failed together are not retried together. */
const JITTER_FRACTION = 0.2;

/**
 * 2xx: delivered. 5xx or no response: retried while delays are left. Anything else: failed.
 * @param attempts including this one
 * @param backoffSeconds delays before the second, third, … attempt
 * @param random 0 to 1
 */
export function decideDeliveryRetry(
  { statusCode }: Pick<WebhookAttemptResult, 'statusCode'>,
  attempts: number,
  backoffSeconds: readonly number[],
  random: () => number = Math.random,
): DeliveryRetryDecision {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { state: 'delivered', delaySeconds: 0 };
  const mayRecover = statusCode === null || statusCode >= 500;
  const delay = backoffSeconds[attempts - 1];
  if (!mayRecover || delay === undefined) return { state: 'failed', delaySeconds: 0 };
  return { state: 'pending', delaySeconds: delay * (1 + JITTER_FRACTION * random()) };
}
