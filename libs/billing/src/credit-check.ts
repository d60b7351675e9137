import { BatchLoader, inTransaction } from '@app/database';
import { describeError, ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { type AccountCreditState, loadAccountCreditStates } from './ledger.repository.js';
import { collectOwedCredits } from './owed-credits.repository.js';
import type { PaymentPort } from './payments/payment-port.js';
import { Recharger, type RechargeOutcome } from './payments/recharger.js';

export interface CreditCheckWithRechargeOptions {
  creditsPerSecond: number;
  payments: PaymentPort;
  logger: { warn(message: string): void };
}

/** Without it, every job of an account below its threshold would lock the account row to find the same obstacle. */
const BACKGROUND_RETRY_MS = 10_000;
const MAX_BACKGROUND_ENTRIES = 10_000;

const DISPUTED = 'Creating jobs is suspended: a payment of the account is disputed.';

const ERROR_ADVICE: Record<RechargeOutcome | 'off', string> = {
  off: 'Top up or enable auto-recharge, and try again.',
  paid: 'What was paid for is spent already. Try again.',
  pending: 'More was asked for; try again when it is paid.',
  declined: 'The payment for more was declined. Top up and try again.',
  action_required: 'The bank asks the owner of the card to confirm the payment for more.',
  limit_reached: 'Auto-recharge has reached its monthly limit. Top up, or raise the limit, and try again.',
  currency_changed:
    'Auto-recharge waits, because its monthly limit is in another currency than payments are now. Top up, or save its settings again.',
  disputed: DISPUTED,
  owing: 'Top up to pay what it owes.',
  held: 'Auto-recharge waits until the operator releases it. Top up.',
  restored:
    'Auto-recharge waits, because the service was restored from a backup. Top up, or save its settings again.',
  paused:
    'Auto-recharge is paused: a payment was declined or not confirmed, or a dispute was lost. Top up and try again.',
};

/**
 * An account may create a job if it has credits left, or gets some by one recharge, and neither owes credits nor
 * disputes a payment. Runs before the transaction of the job, because it may wait for a payment provider. The price
 * is held when the duration is known.
 */
export class CreditCheckWithRecharge {
  private readonly recharger: Recharger;
  /** Account -> when a job may start a recharge in the background again. */
  private readonly nextBackgroundStart = new Map<string, number>();
  private readonly creditLoader = new BatchLoader((ids: readonly string[]) =>
    loadAccountCreditStates(this.dataSource.manager, ids),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: CreditCheckWithRechargeOptions,
  ) {
    this.recharger = new Recharger(dataSource, options.payments);
  }

  /** @throws ServiceError `insufficient_credits` */
  async assertCreditOrRecharge(accountId: string): Promise<void> {
    if (this.options.creditsPerSecond === 0) return;
    const before = await this.loadAfterCollectingDebt(accountId);
    const { balance, owed, isDisputed, rechargeBelow } = before;
    if (isDisputed) throw refusal(DISPUTED);
    if (balance > 0 && owed === 0) {
      // The credits suffice for this job, so it does not wait for the recharge.
      if (rechargeBelow !== null && balance < rechargeBelow) void this.rechargeInBackground(accountId);
      return;
    }
    if (owed > 0) throw refusal(describeDebt(owed));
    const state = rechargeBelow === null ? 'off' : await this.recharge(accountId);
    const after = state === 'off' ? before : await this.creditLoader.load(accountId);
    if (after.isDisputed) throw refusal(DISPUTED);
    if (after.owed > 0) throw refusal(describeDebt(after.owed));
    if (state === 'paid' && after.balance > 0) return;
    throw refusal(`The account has no credit left. ${ERROR_ADVICE[state]}`);
  }

  /** Credits that an ended job released pay a debt before another job may hold them. */
  private async loadAfterCollectingDebt(accountId: string): Promise<AccountCreditState> {
    const credit = await this.creditLoader.load(accountId);
    if (credit.owed === 0 || credit.balance === 0) return credit;
    await inTransaction(this.dataSource, (tx) => collectOwedCredits(tx, accountId));
    return this.creditLoader.load(accountId);
  }

  /** Never throws. */
  private async rechargeInBackground(accountId: string): Promise<void> {
    const now = Date.now();
    if ((this.nextBackgroundStart.get(accountId) ?? 0) > now) return;
    if (this.nextBackgroundStart.size >= MAX_BACKGROUND_ENTRIES) this.nextBackgroundStart.clear();
    this.nextBackgroundStart.set(accountId, now + BACKGROUND_RETRY_MS);
    if ((await this.recharge(accountId)) === 'paid') this.nextBackgroundStart.delete(accountId);
  }

  private async recharge(accountId: string): Promise<RechargeOutcome> {
    try {
      return await this.recharger.recharge(accountId);
    } catch (error) {
      const reason = describeError(error);
      this.options.logger.warn(`the recharge of account ${accountId} failed and stays open: ${reason}`);
      return 'pending';
    }
  }
}

/** Only its owner decides to pay a debt: a recharge would take back from the card what a bank or the operator has just returned. */
function describeDebt(owed: number): string {
  return `The account owes ${owed} credits of a refunded or disputed payment. Top up to pay them.`;
}

function refusal(detail: string): ServiceError {
  return new ServiceError('insufficient_credits', { detail });
}
