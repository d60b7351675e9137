import type { PriceListOptions } from '../credit-price-list.js';

export interface StripeOptions extends PriceListOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another server than Stripe's, for tests: protocol, host and port. */
  apiUrl?: string | undefined;
  /** Host of checkout pages, the only other one that customers are sent to; with the port, if there is one. */
  checkoutHost: string;
  /** Time limit of one request. */
  timeoutMs: number;
  /** The page that Stripe sends customers back to; `payment` and `result` are added to its query. */
  returnUrl: string;
}
