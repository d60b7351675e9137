import type { DataSource } from 'typeorm';
import {
  openOrClaimRechargePayment,
  declinePayment,
  listPayments,
  savePaymentReference,
  settlePaymentAndGrantCredits,
} from './payment.repository.js';
import type { PaymentPort } from './payment-port.js';

/** After it, another process may request the charge again. */
const CHARGE_TIMEOUT_MS = 10_000;
const CLAIM_TIMEOUT_SECONDS = 30;

export type RechargeOutcome = 'paid' | 'pending' | 'declined';

/** One request at a time per account. */
export class Recharger {
  private readonly inFlight = new Map<string, Promise<RechargeOutcome>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly port: PaymentPort,
    private readonly claimTimeoutSeconds = CLAIM_TIMEOUT_SECONDS,
  ) {}

  /**
   * Concurrent callers share one attempt. @throws the error of the payment provider; the payment then stays
   * open
   */
  recharge(accountId: string): Promise<RechargeOutcome> {
    const running = this.inFlight.get(accountId);
    if (running) return running;
    const attempt = this.chargeOnce(accountId).finally(() => this.inFlight.delete(accountId));
    this.inFlight.set(accountId, attempt);
    return attempt;
  }

  private async chargeOnce(accountId: string): Promise<RechargeOutcome> {
    const payment = await openOrClaimRechargePayment(this.dataSource, accountId, this.claimTimeoutSeconds);
    if (!payment) return this.findLastState(accountId);
    const { id, credits } = payment;
    const { state, reference } = await this.port.charge(
      { paymentId: id, accountId, credits },
      AbortSignal.timeout(CHARGE_TIMEOUT_MS),
    );
    if (state === 'paid') await settlePaymentAndGrantCredits(this.dataSource, id, reference);
    else if (state === 'declined') await declinePayment(this.dataSource, id, reference);
    else await savePaymentReference(this.dataSource, id, reference);
    return state;
  }

  /** Of the payment that another caller requested. */
  private async findLastState(accountId: string): Promise<RechargeOutcome> {
    const [newest] = await listPayments(this.dataSource, { accountId, limit: 1 });
    if (newest?.state === 'settled') return 'paid';
    return newest?.state === 'requested' ? 'pending' : 'declined';
  }
}
