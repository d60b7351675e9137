import { inTransaction } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ChargeResult, PaymentPort } from './payment-port.js';
import {
  declinePayment,
  markActionRequiredAndPauseRecharge,
  savePaymentReference,
  settleProviderPaymentAndGrantCredits,
} from './payment.repository.js';
import {
  type ClaimedRechargePayment,
  claimRechargePayment,
  type RechargeBlockReason,
  type RechargeObstacle,
} from './recharge-claim.repository.js';

const CHARGE_TIMEOUT_MS = 10_000;
/** After it, another process may request the charge again. */
export const RECHARGE_CLAIM_TIMEOUT_SECONDS = 30;

export type RechargeOutcome = ChargeResult['state'] | RechargeBlockReason;

/** Requests recharges, one at a time per account. */
export class Recharger {
  private readonly inFlight = new Map<string, Promise<RechargeOutcome>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly port: PaymentPort,
    private readonly claimTimeoutSeconds = RECHARGE_CLAIM_TIMEOUT_SECONDS,
  ) {}

  /**
   * Concurrent callers share one attempt. @throws the error of the payment provider; the payment then stays
   * open
   */
  recharge(accountId: string): Promise<RechargeOutcome> {
    const running = this.inFlight.get(accountId);
    if (running) return running;
    const attempt = this.claimAndCharge(accountId).finally(() => this.inFlight.delete(accountId));
    this.inFlight.set(accountId, attempt);
    return attempt;
  }

  /** Requests a claimed payment, perhaps again. @throws as `recharge` */
  async charge(payment: ClaimedRechargePayment): Promise<RechargeOutcome> {
    const { id: paymentId, accountId, credits, amount, currency, createdAt, isRechargeAllowed } = payment;
    const result = await this.port.charge(
      { paymentId, accountId, credits, amount, currency, createdAt, isRechargeAllowed },
      AbortSignal.timeout(CHARGE_TIMEOUT_MS),
    );
    const { state, reference } = result;
    if (state === 'paid')
      await inTransaction(this.dataSource, (tx) =>
        settleProviderPaymentAndGrantCredits(tx, paymentId, result),
      );
    else if (state === 'declined') await declinePayment(this.dataSource, paymentId, result);
    else if (state === 'action_required')
      await markActionRequiredAndPauseRecharge(this.dataSource, paymentId, result);
    else await savePaymentReference(this.dataSource, paymentId, reference);
    return state;
  }

  private async claimAndCharge(accountId: string): Promise<RechargeOutcome> {
    const claimed = await claimRechargePayment(this.dataSource, accountId, {
      provider: this.port.provider,
      prices: this.port.prices,
      claimTimeoutSeconds: this.claimTimeoutSeconds,
    });
    return typeof claimed === 'string' ? OUTCOME_OF_OBSTACLE[claimed] : this.charge(claimed);
  }
}

/** Outcome of the payment that another caller requested. */
const OUTCOME_OF_OBSTACLE: Record<RechargeObstacle, RechargeOutcome> = {
  settled: 'paid',
  requested: 'pending',
  action_required: 'action_required',
  limit_reached: 'limit_reached',
  currency_changed: 'currency_changed',
  held: 'held',
  disputed: 'disputed',
  owing: 'owing',
  paused: 'paused',
  restored: 'restored',
  checkout: 'pending',
  declined: 'declined',
  expired: 'declined',
  none: 'declined',
};
