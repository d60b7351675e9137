import type { ChargeResult, PaymentPort } from './payment-port.js';

/** The operator collects the payment, and settles or declines it in the list of payments. */
export class ManualPayments implements PaymentPort {
  async charge(): Promise<ChargeResult> {
    return { state: 'pending', reference: null };
  }
}
