import type { PriceListOptions } from '../price-list.js';

export interface StripeOptions extends PriceListOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another server than Stripe's, for tests: protocol, host and port. */
  apiUrl?: string | undefined;
  /** Of one request. */
  timeoutMs: number;
  /** The page that Stripe sends customers back to; `payment` and `result` are added to its query. */
  returnUrl: string;
}
