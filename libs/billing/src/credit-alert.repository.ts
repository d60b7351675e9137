import { CreditAlert, IS_INSTALLATION_HELD_SQL, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** While the balance stays low. */
const REMINDER_DAYS = 30;
const QUIET_MINUTES_AFTER_CHANGE = 60;

/**
 * Another threshold reports the present balance again. Only while the row has the time of the reminder is it known when the
 * last notice was sent: the new notice then comes an hour after it at the earliest, otherwise at once. The time is no longer
 * that of the reminder after an earlier change of the threshold, a recovery or a mail that failed, and in a new row.
 * @param below credits; null: no alert. The account must exist.
 */
export async function setCreditAlert(
  tx: EntityManager,
  accountId: string,
  below: number | null,
): Promise<void> {
  if (below === null) await tx.delete(CreditAlert, { accountId });
  else
    await tx.query(
      `INSERT INTO credit_alert (account_id, below, next_notice_at) VALUES ($1, $2, now())
       ON CONFLICT (account_id) DO UPDATE SET below = excluded.below,
         next_notice_at = GREATEST(now(), credit_alert.next_notice_at
           - make_interval(days => ${REMINDER_DAYS}) + make_interval(mins => ${QUIET_MINUTES_AFTER_CHANGE}))
       WHERE credit_alert.below <> excluded.below`,
      [accountId, below],
    );
}

export interface DueCreditAlert {
  accountId: string;
  accountName: string;
  below: number;
  balance: number;
}

/** The balance of a busy account crosses its threshold often, because holds are released. */
const QUIET_DAYS_AFTER_RECOVERY = 1;

/** Each notice is claimed once, by one process; none while webhooks are held, because a trial restore must not notify anybody. */
export async function claimDueCreditAlerts(dataSource: DataSource): Promise<DueCreditAlert[]> {
  await dataSource.query(
    `UPDATE credit_alert SET next_notice_at = now() + make_interval(days => ${QUIET_DAYS_AFTER_RECOVERY}) FROM account
     WHERE account.id = account_id AND balance >= below
       AND next_notice_at > now() + make_interval(days => ${QUIET_DAYS_AFTER_RECOVERY})`,
  );
  return queryRows<DueCreditAlert>(
    dataSource,
    `UPDATE credit_alert SET next_notice_at = now() + make_interval(days => ${REMINDER_DAYS}) FROM account
     WHERE account.id = account_id AND balance < below AND next_notice_at <= now()
       AND NOT ${IS_INSTALLATION_HELD_SQL}
     RETURNING account_id AS "accountId", account.name AS "accountName", below, balance`,
  );
}

/** Makes the notice due again after a mail that could not be sent. */
export async function postponeCreditAlert(
  dataSource: DataSource,
  accountId: string,
  seconds: number,
): Promise<void> {
  await dataSource.query(
    'UPDATE credit_alert SET next_notice_at = now() + make_interval(secs => $2) WHERE account_id = $1',
    [accountId, seconds],
  );
}
