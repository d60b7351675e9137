/** A request for a payment, unchanged at every repetition. */
export interface ChargeRequest {
  /** UUID and idempotency key: a repeated request with it charges nothing more. */
  paymentId: string;
  accountId: string;
  /** Number of credits that are bought. */
  credits: number;
}

export interface ChargeResult {
  /** `paid`: the credits may be granted. `pending`: unknown yet, settled later by the id of the payment. */
  state: 'paid' | 'pending' | 'declined';
  /** Reference of the payment provider; null if it has none. */
  reference: string | null;
}

/**
 * A payment provider. It does not change the ledger, which follows its result, and is called outside of
 * transactions. A repeated request returns the current state. The signal limits the duration of the call. A later
 * job repeats a failed call with the same id, so a call may fail after the money was charged.
 */
export interface PaymentPort {
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
}
