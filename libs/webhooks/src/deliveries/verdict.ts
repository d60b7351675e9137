import type { DeliveryState } from '@app/database';
import type { Outcome } from './send-notification.js';

export interface Verdict {
  state: DeliveryState;
  /** Until the next attempt; only while `pending`. */
  delaySeconds: number;
}

/** Up to a fifth more, so that deliveries that failed together do not come back together. */
const JITTER = 0.2;

/**
 * What an attempt means for its delivery. 2xx: delivered. 5xx or no answer: again, as long as there is a delay left.
 * Everything else is final.
 * @param tries attempts so far, this one included
 * @param backoffSeconds before the second, third, … attempt
 * @param random 0 to 1
 */
export function judge(
  { statusCode }: Pick<Outcome, 'statusCode'>,
  tries: number,
  backoffSeconds: readonly number[],
  random: () => number = Math.random,
): Verdict {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { state: 'delivered', delaySeconds: 0 };
  const mayRecover = statusCode === null || statusCode >= 500;
  const delay = backoffSeconds[tries - 1];
  if (!mayRecover || delay === undefined) return { state: 'failed', delaySeconds: 0 };
  return { state: 'pending', delaySeconds: delay * (1 + JITTER * random()) };
}
