import type { DataSource } from 'typeorm';
import {
  claimPayment,
  declinePayment,
  listPayments,
  savePaymentReference,
  settlePayment,
} from './payment.repository.js';
import type { PaymentPort } from './payment-port.js';

/** A collector gets so long to answer, and so long after it another process may ask in its place. */
const CHARGE_TIMEOUT_MS = 10_000;
const CLAIM_TIMEOUT_SECONDS = 30;

export type RechargeState = 'paid' | 'pending' | 'declined';

/** Tops accounts up: one request at a time for each, however many creates find it empty. */
export class Recharger {
  private readonly inFlight = new Map<string, Promise<RechargeState>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly port: PaymentPort,
    private readonly claimTimeoutSeconds = CLAIM_TIMEOUT_SECONDS,
  ) {}

  /** One try. Whoever comes meanwhile shares it. @throws what the collector threw; the request stays open then */
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

  /** What came of the one that another asked for. */
  private async findLastState(accountId: string): Promise<RechargeState> {
    const [newest] = await listPayments(this.dataSource, { accountId, limit: 1 });
    if (newest?.state === 'settled') return 'paid';
    return newest?.state === 'requested' ? 'pending' : 'declined';
  }
}
