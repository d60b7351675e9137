import { AutoRecharge, queryRows, type RechargePauseReason } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { HAS_OPEN_PAYMENT_DISPUTE_SQL } from '../credit-and-payment-status.repository.js';

export interface RechargeSettings {
  /** A job that finds fewer credits starts a recharge; at least 1, which means an empty balance. */
  below: number;
  /** Whole, at least 1. */
  credits: number;
  /**
   * For the recharges of a calendar month (UTC), in the smallest unit of the currency; null: no limit. Payments
   * without an amount do not count.
   */
  monthlyLimit: number | null;
  /** Of the limit, lower case; null: that of payments. */
  limitCurrency: string | null;
}

export interface RechargePause {
  since: Date;
  /** `currency_changed`: the limit is in another currency than payments are now. */
  reason: RechargePauseReason | 'currency_changed';
}

export interface StoredRechargeSettings extends RechargeSettings {
  pause: RechargePause | null;
}

/** @param currency of payments; null without payments by card @returns null if auto-recharge is off */
export async function findRechargeSettings(
  db: DataSource | EntityManager,
  accountId: string,
  currency: string | null = null,
): Promise<StoredRechargeSettings | null> {
  const row = await db.getRepository(AutoRecharge).findOneBy({ accountId });
  if (!row) return null;
  const { below, credits, monthlyLimit, limitCurrency } = row;
  return { below, credits, monthlyLimit, limitCurrency, pause: findPause(row, currency) };
}

function findPause(row: AutoRecharge, currency: string | null): RechargePause | null {
  const { pausedAt, pauseReason, changedAt } = row;
  if (pausedAt) return { since: pausedAt, reason: pauseReason ?? 'declined' };
  return isLimitInOtherCurrency(row, currency) ? { since: changedAt, reason: 'currency_changed' } : null;
}

/** @param currency of payments; null without payments by card */
export function isLimitInOtherCurrency(
  { monthlyLimit, limitCurrency }: Pick<RechargeSettings, 'monthlyLimit' | 'limitCurrency'>,
  currency: string | null,
): boolean {
  return monthlyLimit !== null && limitCurrency !== null && currency !== null && limitCurrency !== currency;
}

/** Null turns it off; an open payment stays open. Ends a pause. The account must exist. */
export async function setRechargeSettingsAndEndPause(
  db: DataSource | EntityManager,
  accountId: string,
  settings: (Pick<RechargeSettings, 'below' | 'credits'> & Partial<RechargeSettings>) | null,
): Promise<void> {
  const repository = db.getRepository(AutoRecharge);
  if (settings === null) await repository.delete({ accountId });
  else {
    const { below, credits, monthlyLimit = null, limitCurrency = null } = settings;
    const ended = { pausedAt: null, pauseReason: null, changedAt: () => 'now()' };
    await repository.upsert({ accountId, below, credits, monthlyLimit, limitCurrency, ...ended }, [
      'accountId',
    ]);
  }
}

/** The pause of a restore stays: a payment of before the restore must not replace it by one that its owner ends. */
export async function pauseRecharge(
  tx: EntityManager,
  accountId: string,
  reason: RechargePauseReason,
): Promise<void> {
  await tx.query(
    `UPDATE auto_recharge SET paused_at = now(), pause_reason = $2
     WHERE account_id = $1 AND pause_reason IS DISTINCT FROM 'restored'`,
    [accountId, reason],
  );
}

/**
 * For a restored database: settings that were changed, and payments that were made since the backup, are unknown. The
 * payment that a pause waits for may have been confirmed since, too. A pause after a declined payment stays as it is.
 */
export async function pauseRestoredCardRecharges(tx: EntityManager): Promise<void> {
  await tx.query(
    `UPDATE auto_recharge SET paused_at = now(), pause_reason = 'restored'
     WHERE (paused_at IS NULL OR pause_reason = 'authentication_required')
       AND account_id IN (SELECT account_id FROM stripe_customer)`,
  );
}

/**
 * Also ends the pause after a declined payment. The owner of the card was there for the payment, but knows of a restore
 * only if the payment began after it.
 */
export async function resumeRecharge(
  tx: EntityManager,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await tx.query(
    `UPDATE auto_recharge SET paused_at = NULL, pause_reason = NULL, changed_at = now()
     WHERE account_id = $1 AND (pause_reason IS DISTINCT FROM 'restored'
       OR paused_at < (SELECT created_at FROM payment WHERE id = $2))`,
    [accountId, id],
  );
}

/** SQL for a row of `payment`: whether recharges of its account may be charged now. */
export const IS_RECHARGE_ALLOWED_SQL = `EXISTS (
  SELECT FROM auto_recharge JOIN account ON account.id = auto_recharge.account_id
  WHERE account.id = payment.account_id AND paused_at IS NULL AND owed_credits = 0
    AND NOT ${HAS_OPEN_PAYMENT_DISPUTE_SQL})`;

/** Sum of the current calendar month (UTC) in this currency, in its smallest unit. */
export async function sumRechargeAmountsThisMonth(
  db: DataSource | EntityManager,
  accountId: string,
  currency: string,
): Promise<number> {
  const [sums] = await queryRows<{ amount: number }>(
    db,
    `SELECT ${buildRechargeAmountThisMonthSql('$2')} AS amount`,
    [accountId, currency],
  );
  return sums?.amount ?? 0;
}

/**
 * SQL for account `$1`. Includes open payments, and those that were refunded later.
 * @param currency parameter of the currency; amounts in others cannot be added
 */
export function buildRechargeAmountThisMonthSql(currency: string): string {
  return `(
  SELECT COALESCE(sum(amount), 0)::bigint FROM payment
  WHERE account_id = $1 AND kind = 'recharge' AND state IN ('requested', 'action_required', 'settled')
    AND currency = ${currency} AND created_at >= date_trunc('month', now(), 'UTC'))`;
}
