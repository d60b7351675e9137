/** Unchanged at every repetition. */
export interface ChargeRequest {
  /** UUID and idempotency key: a repeated request charges nothing more. */
  paymentId: string;
  accountId: string;
  credits: number;
}

export interface ChargeResult {
  /** `paid`: the credits may be granted. `pending`: unknown yet, settled later by the id of the payment. */
  state: 'paid' | 'pending' | 'declined';
  /** Of the payment provider; null if it has none. */
  reference: string | null;
}

/**
 * Called outside of transactions; does not change the ledger, which follows its result. A repeated request
 * returns the current state. A call may fail after the money was charged, because a later job repeats it with
 * the same id.
 */
export interface PaymentPort {
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
}

/** The operator collects the payment, and settles or declines it in the list of payments. */
export class ManualPayments implements PaymentPort {
  async charge(): Promise<ChargeResult> {
    return { state: 'pending', reference: null };
  }
}
