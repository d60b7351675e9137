import {
  AutoRecharge,
  inTransaction,
  IS_INSTALLATION_HELD_SQL,
  lockAccountRow,
  type PaymentProvider,
  type PaymentState,
  queryRows,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { HAS_OPEN_PAYMENT_DISPUTE_SQL } from '../credit-and-payment-status.repository.js';
import {
  buildRechargeAmountThisMonthSql,
  IS_RECHARGE_ALLOWED_SQL,
  isLimitInOtherCurrency,
  sumRechargeAmountsThisMonth,
} from './auto-recharge.repository.js';
import { buildIsRechargeDeclinedLatelySql } from './recent-decline.repository.js';
import type { CreditPriceList } from './credit-price-list.js';

export interface ClaimedRechargePayment {
  id: string;
  accountId: string;
  credits: number;
  /** In the smallest unit of the currency; null without a price list. */
  amount: number | null;
  currency: string | null;
  createdAt: Date;
  /** False: an open payment whose account no longer has recharges charged. */
  isRechargeAllowed: boolean;
}

/** Why no payment is requested: the newest one, or a condition of auto-recharge. */
export type RechargeObstacle = PaymentState | RechargeBlockReason | 'none';
export type RechargeBlockReason =
  'limit_reached' | 'currency_changed' | 'held' | 'disputed' | 'owing' | 'paused' | 'restored';

export interface RechargeClaimOptions {
  provider: PaymentProvider;
  prices: CreditPriceList | null;
  /** The process that requested the open payment may have died after this time. */
  claimTimeoutSeconds: number;
}

/**
 * Claims a new payment, or the open one if it was not requested within the claim timeout. An account never has
 * two open payments. Locks the account row first, so that a job that saw an empty balance and arrives after the
 * credits finds them; the second statement then sees how the last payment ended.
 * @returns an obstacle if nothing is to be requested
 */
export async function claimRechargePayment(
  dataSource: DataSource,
  accountId: string,
  options: RechargeClaimOptions,
): Promise<ClaimedRechargePayment | RechargeObstacle> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountRow(tx, accountId);
    const [claimed] = await queryRows<ClaimedRechargePayment>(tx, CLAIM, [
      accountId,
      uuidv7(),
      options.claimTimeoutSeconds,
      options.provider,
      options.prices?.nanoAmountPerCredit ?? null,
      options.prices?.currency ?? null,
    ]);
    return claimed ?? findObstacle(tx, accountId, options.prices);
  });
}

const CLAIM = `
  WITH again AS (
    UPDATE payment SET asked_at = now()
    WHERE account_id = $1 AND state = 'requested' AND provider = $4
      AND asked_at < now() - make_interval(secs => $3) AND NOT ${IS_INSTALLATION_HELD_SQL}
    RETURNING id, account_id, credits, amount, currency, created_at, ${IS_RECHARGE_ALLOWED_SQL} AS is_enabled
  ), opened AS (
    INSERT INTO payment (id, account_id, credits, provider, amount, currency)
    SELECT $2, $1, credits, $4, price.amount, $6
    FROM account JOIN auto_recharge AS wanted ON account_id = account.id
    CROSS JOIN LATERAL (SELECT ceil(credits * $5::numeric / 1e9)::bigint AS amount) price
    WHERE account.id = $1 AND balance < below AND paused_at IS NULL AND NOT ${IS_INSTALLATION_HELD_SQL}
      AND owed_credits = 0 AND NOT ${HAS_OPEN_PAYMENT_DISPUTE_SQL}
      AND NOT ${buildIsRechargeDeclinedLatelySql('wanted')}
      AND (price.amount IS NULL OR monthly_limit IS NULL
        OR COALESCE(limit_currency, $6) = $6
          AND ${buildRechargeAmountThisMonthSql('$6')} + price.amount <= monthly_limit)
    ON CONFLICT (account_id) WHERE state = 'requested' DO NOTHING
    RETURNING id, account_id, credits, amount, currency, created_at, true
  )
  SELECT id, account_id AS "accountId", credits, amount, currency, created_at AS "createdAt",
    is_enabled AS "isRechargeAllowed"
  FROM again UNION ALL SELECT * FROM opened`;

interface RechargeStatus {
  isHeld: boolean;
  isDisputed: boolean;
  isOwing: boolean;
  newestState: PaymentState | null;
}

async function findObstacle(
  tx: EntityManager,
  accountId: string,
  prices: CreditPriceList | null,
): Promise<RechargeObstacle> {
  const settings = await tx.getRepository(AutoRecharge).findOneBy({ accountId });
  const [status] = await queryRows<RechargeStatus>(
    tx,
    `SELECT ${IS_INSTALLATION_HELD_SQL} AS "isHeld", ${HAS_OPEN_PAYMENT_DISPUTE_SQL} AS "isDisputed",
       owed_credits > 0 AS "isOwing", (
         SELECT state FROM payment WHERE account_id = account.id AND kind = 'recharge' ORDER BY id DESC LIMIT 1
       ) AS "newestState"
     FROM account WHERE id = $1`,
    [accountId],
  );
  if (status?.isHeld === true) return 'held';
  if (status?.isDisputed === true) return 'disputed';
  if (status?.isOwing === true) return 'owing';
  const newest = status?.newestState ?? null;
  if (newest === 'requested' || newest === 'action_required') return newest;
  if (settings?.pausedAt) return settings.pauseReason === 'restored' ? 'restored' : 'paused';
  if (prices && settings && isLimitInOtherCurrency(settings, prices.currency)) return 'currency_changed';
  if (prices && settings && settings.monthlyLimit !== null && newest !== 'declined') {
    const amount = prices.computeAmount(settings.credits);
    const charged = await sumRechargeAmountsThisMonth(tx, accountId, prices.currency);
    if (charged + amount > settings.monthlyLimit) return 'limit_reached';
  }
  return newest ?? 'none';
}
