import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** A declined card is not tried again with every request. */
const DECLINE_PAUSE_SECONDS = 3600;

/**
 * The payment that this caller is to ask for: a new one, or the open one when nobody has asked for it in the last
 * `patienceSeconds`, as whoever did may have died. An account never has two open ones.
 * The account's row is locked first, as by whoever settles: a create that saw an empty balance and comes after the
 * credits did finds them, and asks for nothing.
 * @returns undefined when there is nothing to ask for: just asked for, just declined, credit is there, or recharging is off
 */
export async function claimPayment(
  dataSource: DataSource,
  accountId: string,
  claimTimeoutSeconds: number,
): Promise<{ id: string; credits: number } | undefined> {
  const [claimed] = await queryRows<{ id: string; credits: number }>(
    dataSource,
    `WITH holder AS (
       SELECT id, balance FROM account WHERE id = $1 FOR NO KEY UPDATE
     ), again AS (
       UPDATE payment SET asked_at = now() FROM holder
       WHERE account_id = holder.id AND state = 'requested' AND asked_at < now() - make_interval(secs => $3)
       RETURNING payment.id, credits
     ), opened AS (
       INSERT INTO payment (id, account_id, credits)
       SELECT $2, account_id, credits FROM holder JOIN auto_recharge AS wanted ON account_id = holder.id
       WHERE balance < below AND NOT EXISTS (
         SELECT FROM payment WHERE account_id = $1 AND state = 'declined'
           AND ended_at > GREATEST(now() - make_interval(secs => ${DECLINE_PAUSE_SECONDS}), wanted.changed_at))
       ON CONFLICT (account_id) WHERE state = 'requested' DO NOTHING
       RETURNING id, credits
     )
     SELECT * FROM again UNION ALL SELECT * FROM opened`,
    [accountId, uuidv7(), claimTimeoutSeconds],
  );
  return claimed;
}

/** The collector knows of it. */
export async function savePaymentReference(
  dataSource: DataSource,
  id: string,
  reference: string | null,
): Promise<void> {
  if (reference !== null)
    await dataSource.query(`UPDATE payment SET reference = $2 WHERE id = $1`, [id, reference]);
}
