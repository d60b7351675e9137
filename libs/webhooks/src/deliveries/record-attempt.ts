import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ClaimedDelivery } from './claim-delivery.js';
import type { AttemptResult } from './send-webhook.js';
import type { RetryDecision } from './retry-decision.js';

/**
 * Writes the attempt and what it means for the delivery, in one statement.
 * The text goes with the last attempt: a replay composes another.
 * @returns false, and nothing is written, when the delivery is in other hands by now
 */
export async function recordAttempt(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  { statusCode, error, durationMs: ms }: AttemptResult,
  { state, delaySeconds }: RetryDecision,
): Promise<boolean> {
  const recorded = await queryRows(
    dataSource,
    `WITH judged AS (
       UPDATE webhook_delivery
       SET state = $3, attempts = attempts + 1, lease_until = NULL,
         next_attempt_at = now() + make_interval(secs => $4),
         finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END,
         key_id = CASE WHEN $3 = 'pending' THEN key_id END,
         sealed = CASE WHEN $3 = 'pending' THEN sealed END
       WHERE id = $1 AND fence = $2 AND state = 'pending'
       RETURNING id, attempts
     )
     INSERT INTO webhook_attempt (delivery_id, number, status_code, error, ms)
     SELECT id, attempts, $5, $6, $7 FROM judged
     RETURNING number`,
    [id, fence, state, delaySeconds, statusCode, error, ms],
  );
  return recorded.length === 1;
}
