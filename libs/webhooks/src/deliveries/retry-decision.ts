import type { DeliveryState } from '@app/database';
import type { AttemptResult } from './send-webhook.js';

export interface RetryDecision {
  state: DeliveryState;
  /** Until the next attempt; only while `pending`. */
  delaySeconds: number;
}

/** Up to a fifth more, so that deliveries that failed together do not come back together. */
const JITTER_FRACTION = 0.2;

/**
 * What an attempt means for its delivery. 2xx: delivered. 5xx or no answer: again, as long as there is a delay left.
 * Everything else is final.
 * @param attempts attempts so far, this one included
 * @param backoffSeconds before the second, third, … attempt
 * @param random 0 to 1
 */
export function decideRetry(
  { statusCode }: Pick<AttemptResult, 'statusCode'>,
  attempts: number,
  backoffSeconds: readonly number[],
  random: () => number = Math.random,
): RetryDecision {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { state: 'delivered', delaySeconds: 0 };
  const mayRecover = statusCode === null || statusCode >= 500;
  const delay = backoffSeconds[attempts - 1];
  if (!mayRecover || delay === undefined) return { state: 'failed', delaySeconds: 0 };
  return { state: 'pending', delaySeconds: delay * (1 + JITTER_FRACTION * random()) };
}
