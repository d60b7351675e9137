import type { ChargeResult, PaymentPort } from './payment-port.js';

/** The operator is the collector: sees the request in the list of payments and settles or declines it there. */
export class ManualPayments implements PaymentPort {
  async charge(): Promise<ChargeResult> {
    return { state: 'pending', reference: null };
  }
}
