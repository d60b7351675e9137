export interface BillingSearchParams {
  view?: string | undefined;
  /** The payment of a customer who comes back from the page of Stripe. */
  payment?: string | undefined;
  result?: 'paid' | 'cancelled' | undefined;
}

export function parseBillingSearchParams({
  view,
  payment,
  result,
}: Record<string, unknown>): BillingSearchParams {
  return {
    view: typeof view === 'string' ? view : undefined,
    payment: typeof payment === 'string' && /^[\da-f-]{36}$/i.test(payment) ? payment : undefined,
    result: result === 'paid' || result === 'cancelled' ? result : undefined,
  };
}
