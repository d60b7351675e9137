import { queryRows } from '@app/database';
import { ServiceError } from '@app/errors';
import type { EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';

/** Per user and day. Three of a million codes are valid at a time, so 50 guesses succeed with a probability of 1 in 6,700. */
export const MAX_REJECTED_CODES_PER_DAY = 50;
const ACTION = 'user.second_factor_rejected';
/**
 * Somebody with two factors has chosen another password or app, so what was guessed before is void. A password that a link
 * sets does not count: whoever reads the mails of the user could go on guessing with one link after the other. After
 * `user.factors_removed` and `user.sign_in_reset`, which may be events of an operator, a user sets an app up again before codes
 * can be wrong.
 */
const RESETTING_EVENTS_SQL = `(action IN ('user.second_factor_enabled', 'user.second_factor_replaced')
  OR action = 'user.password_changed' AND details->>'two_factors' = 'true')`;

/** The event counts, and shows the user that somebody has passed the first factor. */
export async function recordRejectedSecondFactorCode(tx: EntityManager, actor: AuditActor): Promise<void> {
  await recordAuditEvent(tx, actor, { accountId: null, action: ACTION });
}

/**
 * For codes of an app; recovery codes cannot be guessed. The limit of a minute alone would let somebody who has passed the first
 * factor find a code within weeks.
 * @throws ServiceError `rate_limit_exceeded`
 */
export async function assertFewRejectedSecondFactorCodes(tx: EntityManager, userId: string): Promise<void> {
  const [oldestCounted] = await queryRows<{ retryAfter: number }>(
    tx,
    `SELECT ceil(extract(epoch FROM at + interval '1 day' - now()))::int AS "retryAfter" FROM audit_event
     WHERE account_id IS NULL AND actor_id = $1 AND action = $2 AND at > now() - interval '1 day'
       AND id > coalesce((SELECT max(id) FROM audit_event
                          WHERE account_id IS NULL AND actor_id = $1 AND ${RESETTING_EVENTS_SQL}), 0)
     ORDER BY id DESC OFFSET $3 LIMIT 1`,
    [userId, ACTION, MAX_REJECTED_CODES_PER_DAY - 1],
  );
  if (!oldestCounted) return;
  const retryAfter = Math.max(1, oldestCounted.retryAfter);
  const hours = Math.ceil(retryAfter / 3_600);
  throw new ServiceError('rate_limit_exceeded', {
    detail: `Too many wrong codes in a day. Try again in ${hours} h, or use a recovery code or a passkey.`,
    retryAfter,
  });
}
