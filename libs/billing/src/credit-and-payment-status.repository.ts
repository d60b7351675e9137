import { buildAccountScopedQuery, queryAccountRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { buildIsRechargeDeclinedLatelySql } from './payments/recent-decline.repository.js';

export interface CreditAndPaymentStatus {
  /** Available credits. */
  balance: number;
  /** Credits of open jobs; not part of the balance. */
  held: number;
  /** Credits of refunded or disputed payments that were spent already. No jobs are created until they are paid. */
  owed: number;
  /** Whether a payment is disputed. No jobs are created until the dispute ends. */
  isDisputed: boolean;
  /** Whether the operator has suspended the account. */
  isSuspended: boolean;
  /** A balance below it is reported; null: none is. */
  alertBelow: number | null;
  /** Recharges that the owner of the card has to confirm. */
  paymentsToConfirm: number;
  /**
   * Whether auto-recharge waits for a top-up or a change of its settings, because a charge was declined or not confirmed,
   * a dispute was lost, the database was restored, or its limit is in another currency than payments are now.
   */
  isRechargePaused: boolean;
  /** Whether auto-recharge is on, not paused, and no charge was declined within the last hour. */
  isRechargeOn: boolean;
}

/**
 * SQL of the credits that the open jobs of account `$1` hold: a job that ends releases its hold in the same
 * transaction. Reads open jobs only, by the index `job_account_status`, however long the ledger is.
 */
export const CREDITS_HELD_BY_OPEN_JOBS_SQL = `(
  SELECT COALESCE(-sum(entry.amount), 0)::bigint
  FROM job JOIN credit_entry entry ON entry.job_id = job.id AND entry.kind = 'hold'
  WHERE job.account_id = $1 AND job.status = 'processing')`;

/** SQL of whether a dispute of the account row suspends the creation of jobs. */
export const HAS_OPEN_PAYMENT_DISPUTE_SQL = `EXISTS (
  SELECT FROM payment_dispute
  WHERE account_id = account.id AND closed_at IS NULL AND status NOT LIKE 'warning%')`;

/** For a row of `auto_recharge`. `$2`: the currency of payments; null without payments by card. */
const IS_PAUSED_SQL = '(paused_at IS NOT NULL OR (monthly_limit IS NOT NULL AND limit_currency <> $2::text))';

const CREDIT_SUMMARY = buildAccountScopedQuery(
  'credit-summary',
  `SELECT account.balance, account.owed_credits AS owed, ${CREDITS_HELD_BY_OPEN_JOBS_SQL} AS held,
     ${HAS_OPEN_PAYMENT_DISPUTE_SQL} AS "isDisputed", account.suspended_at IS NOT NULL AS "isSuspended",
     credit_alert.below AS "alertBelow",
     (SELECT count(*) FROM payment WHERE state = 'action_required') AS "paymentsToConfirm",
     EXISTS (SELECT FROM auto_recharge WHERE ${IS_PAUSED_SQL}) AS "isRechargePaused",
     EXISTS (
       SELECT FROM auto_recharge
       WHERE ${IS_PAUSED_SQL} IS NOT TRUE AND NOT ${buildIsRechargeDeclinedLatelySql('auto_recharge')}
     ) AS "isRechargeOn"
   FROM account LEFT JOIN credit_alert ON credit_alert.account_id = account.id
   WHERE account.id = $1`,
);

/** @param currency of payments; null without payments by card @returns null if the account is unknown */
export async function readCreditAndPaymentStatus(
  dataSource: DataSource,
  accountId: string,
  currency: string | null = null,
): Promise<CreditAndPaymentStatus | null> {
  const [summary] = await queryAccountRows<CreditAndPaymentStatus>(dataSource, accountId, CREDIT_SUMMARY, [
    currency,
  ]);
  return summary ?? null;
}
