import { BatchLoader } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { findAccountCredits } from './ledger.repository.js';
import type { PaymentPort } from './payments/payment-port.js';
import { Recharger, type RechargeState } from './payments/recharger.js';

export interface CreditCheckOptions {
  creditsPerSecond: number;
  payments: PaymentPort;
  logger: { warn(message: string): void };
}

const ERROR_ADVICE: Record<RechargeState | 'off', string> = {
  off: 'Top up or enable auto-recharge, and try again.',
  paid: 'What was paid for is spent already. Try again.',
  pending: 'More was asked for; try again when it is paid.',
  declined: 'The payment for more was declined. Top up and try again.',
};

/**
 * Who may create jobs: an account with credit left, or one that a single try of recharging gives some. Asked before a
 * job's transaction and outside of it, as it may wait for a collector of payments; what a job really costs is held
 * when its length is known.
 */
export class CreditCheck {
  private readonly recharger: Recharger;
  private readonly creditLoader = new BatchLoader((ids: readonly string[]) =>
    findAccountCredits(this.dataSource.manager, ids),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: CreditCheckOptions,
  ) {
    this.recharger = new Recharger(dataSource, options.payments);
  }

  /** @throws ServiceError `insufficient_credits` */
  async assertCanCreateJob(accountId: string): Promise<void> {
    if (this.options.creditsPerSecond === 0) return;
    const { balance, rechargeBelow } = await this.creditLoader.load(accountId);
    if (balance > 0) {
      // There is enough for this one: nobody waits for what is asked for in time.
      if (rechargeBelow !== null && balance < rechargeBelow) void this.recharge(accountId);
      return;
    }
    const state = rechargeBelow === null ? 'off' : await this.recharge(accountId);
    if (state === 'paid' && (await this.creditLoader.load(accountId)).balance > 0) return;
    throw new ServiceError('insufficient_credits', {
      detail: `The account has no credit left. ${ERROR_ADVICE[state]}`,
    });
  }

  private async recharge(accountId: string): Promise<RechargeState> {
    try {
      return await this.recharger.recharge(accountId);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.logger.warn(`The recharge of account ${accountId} failed and stays open: ${reason}`);
      return 'pending';
    }
  }
}
