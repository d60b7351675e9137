import type { DataSource } from 'typeorm';
import { claimPayment, nameReference } from './ask-payment.js';
import type { PaymentPort } from './payment-port.js';
import { declinePayment, listPayments, settlePayment } from './payments.js';

/** A collector gets so long to answer, and so long after it another process may ask in its place. */
const ANSWER_MS = 10_000;
const PATIENCE_SECONDS = 30;

export type RechargeState = 'paid' | 'pending' | 'declined';

/** Tops accounts up: one request at a time for each, however many creates find it empty. */
export class Recharger {
  private readonly trying = new Map<string, Promise<RechargeState>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly port: PaymentPort,
    private readonly patienceSeconds = PATIENCE_SECONDS,
  ) {}

  /** One try. Whoever comes meanwhile shares it. @throws what the collector threw; the request stays open then */
  tryOnce(accountId: string): Promise<RechargeState> {
    const under = this.trying.get(accountId);
    if (under) return under;
    const attempt = this.attempt(accountId).finally(() => this.trying.delete(accountId));
    this.trying.set(accountId, attempt);
    return attempt;
  }

  private async attempt(accountId: string): Promise<RechargeState> {
    const payment = await claimPayment(this.dataSource, accountId, this.patienceSeconds);
    if (!payment) return this.known(accountId);
    const { id, credits } = payment;
    const { state, reference } = await this.port.charge(
      { paymentId: id, accountId, credits },
      AbortSignal.timeout(ANSWER_MS),
    );
    if (state === 'paid') await settlePayment(this.dataSource, id, reference);
    else if (state === 'declined') await declinePayment(this.dataSource, id, reference);
    else await nameReference(this.dataSource, id, reference);
    return state;
  }

  /** What came of the one that another asked for. */
  private async known(accountId: string): Promise<RechargeState> {
    const [newest] = await listPayments(this.dataSource, { accountId, limit: 1 });
    if (newest?.state === 'settled') return 'paid';
    return newest?.state === 'requested' ? 'pending' : 'declined';
  }
}
