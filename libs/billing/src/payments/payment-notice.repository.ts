import { IS_INSTALLATION_HELD_SQL, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

export interface ActionRequiredPaymentNotice {
  id: string;
  accountId: string;
  accountName: string;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  /** The page of Stripe on which the owner of the card confirms it. */
  actionUrl: string;
}

/** Longer than a payment waits to be confirmed. */
const REMINDER_DAYS = 30;

/** Each notice is claimed once, by one process; none while webhooks are held, because a trial restore must not notify anybody. */
export function claimActionRequiredPaymentNotices(
  dataSource: DataSource,
): Promise<ActionRequiredPaymentNotice[]> {
  return queryRows<ActionRequiredPaymentNotice>(
    dataSource,
    `UPDATE payment SET next_notice_at = now() + make_interval(days => ${REMINDER_DAYS}) FROM account
     WHERE account.id = account_id AND state = 'action_required' AND action_url IS NOT NULL
       AND (next_notice_at IS NULL OR next_notice_at <= now())
       AND NOT ${IS_INSTALLATION_HELD_SQL}
     RETURNING payment.id, account_id AS "accountId", account.name AS "accountName", credits, amount, currency,
       action_url AS "actionUrl"`,
  );
}

/** Makes the notice due again after a mail that could not be sent. */
export async function postponePaymentNotice(
  dataSource: DataSource,
  id: string,
  seconds: number,
): Promise<void> {
  await dataSource.query(
    'UPDATE payment SET next_notice_at = now() + make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  );
}
