import type { DataSource } from 'typeorm';
import {
  claimPayment,
  declinePayment,
  listPayments,
  savePaymentReference,
  settlePayment,
} from './payment.repository.js';
import type { PaymentPort } from './payment-port.js';

/** Timeout of a charge; after the same time, another process may request it again. */
const CHARGE_TIMEOUT_MS = 10_000;
const CLAIM_TIMEOUT_SECONDS = 30;

export type RechargeState = 'paid' | 'pending' | 'declined';

/** Recharges accounts, with one request at a time per account. */
export class Recharger {
  private readonly inFlight = new Map<string, Promise<RechargeState>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly port: PaymentPort,
    private readonly claimTimeoutSeconds = CLAIM_TIMEOUT_SECONDS,
  ) {}

  /**
   * Attempts one recharge, which concurrent callers share.
   * @throws the error of the payment provider; the payment then stays open
   */
  recharge(accountId: string): Promise<RechargeState> {
    const running = this.inFlight.get(accountId);
    if (running) return running;
    const attempt = this.chargeOnce(accountId).finally(() => this.inFlight.delete(accountId));
    this.inFlight.set(accountId, attempt);
    return attempt;
  }

  private async chargeOnce(accountId: string): Promise<RechargeState> {
    const payment = await claimPayment(this.dataSource, accountId, this.claimTimeoutSeconds);
    if (!payment) return this.findLastState(accountId);
    const { id, credits } = payment;
    const { state, reference } = await this.port.charge(
      { paymentId: id, accountId, credits },
      AbortSignal.timeout(CHARGE_TIMEOUT_MS),
    );
    if (state === 'paid') await settlePayment(this.dataSource, id, reference);
    else if (state === 'declined') await declinePayment(this.dataSource, id, reference);
    else await savePaymentReference(this.dataSource, id, reference);
    return state;
  }

  /** The state of the payment that another caller requested. */
  private async findLastState(accountId: string): Promise<RechargeState> {
    const [newest] = await listPayments(this.dataSource, { accountId, limit: 1 });
    if (newest?.state === 'settled') return 'paid';
    return newest?.state === 'requested' ? 'pending' : 'declined';
  }
}
