/** A request for money, the same however often it is repeated. */
export interface ChargeRequest {
  /** UUID; the idempotency key: a collector that is asked again under it asks its customer for nothing more. */
  paymentId: string;
  accountId: string;
  /** Whole credits that are bought. */
  credits: number;
}

export interface ChargeResult {
  /** `paid`: the credits may be granted. `pending`: not known yet; whoever settles it later says so by the payment's id. */
  state: 'paid' | 'pending' | 'declined';
  /** What the collector calls it; null when it has no name for it. */
  reference: string | null;
}

/**
 * Whoever collects the money. It moves no credits: the ledger follows its answer. Called outside of any transaction.
 * A repeated request is answered with its present state. The signal bounds the call; a call that fails is repeated
 * under the same id by a later create, so it may fail after the money was taken.
 */
export interface PaymentPort {
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
}
