import type { PaymentProvider } from '@app/database';
import type { CreditPriceList } from './credit-price-list.js';

/** A repeated request has the same values, but perhaps another `isRechargeAllowed`. */
export interface ChargeRequest {
  /** UUID and idempotency key: a repeated request charges nothing more. */
  paymentId: string;
  accountId: string;
  credits: number;
  /** In the smallest unit of the currency, when the payment was added: prices may change. Null: by the price list. */
  amount: number | null;
  currency: string | null;
  /** Creation of the payment. Providers forget idempotency keys. */
  createdAt: Date;
  /** False after auto-recharge was turned off or paused, and during a dispute: only the result of an earlier request may be looked up. */
  isRechargeAllowed: boolean;
}

export type ChargeResult = ChargeOutcome & {
  /** Reference at the payment provider; null if it has none. */
  reference: string | null;
};

type ChargeOutcome =
  /** The credits may be granted. */
  | { state: 'paid'; receiptUrl?: string | null }
  /** Unknown yet, settled later by the id of the payment. */
  | { state: 'pending' }
  | {
      state: 'declined';
      failure?: string;
      /** The same card will not work later either. */ isFinal?: boolean;
    }
  /** Nothing was charged, and will be only after the owner of the card has confirmed it at this URL. */
  | { state: 'action_required'; checkoutId: string; actionUrl: string };

/**
 * Called outside of transactions; does not change the ledger, which follows its result. A repeated request
 * returns the current state. A call may fail after the money was charged, because a later job repeats it with
 * the same id.
 */
export interface PaymentPort {
  readonly provider: PaymentProvider;
  /** Null if the provider does not ask for amounts. */
  readonly prices: CreditPriceList | null;
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
}

/** The operator collects the payment, and settles or declines it in the list of payments. */
export class OperatorSettledPaymentPort implements PaymentPort {
  readonly provider = 'manual';
  readonly prices = null;

  async charge(): Promise<ChargeResult> {
    return { state: 'pending', reference: null };
  }
}
