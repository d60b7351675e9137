import { expect, it } from 'vitest';
import { toPaymentResponse } from './payments.dto.js';

const payment = {
  id: '0197e0a4-0000-7000-8000-000000000000',
  kind: 'recharge',
  state: 'action_required',
  credits: 50,
  amount: 5_000,
  currency: 'usd',
  refundedAmount: 0,
  reversedCredits: 0,
  failure: 'authentication_required',
  receiptUrl: null,
  actionUrl: 'https://checkout.stripe.com/c/pay/cs_1',
  createdAt: new Date(0),
  endedAt: null,
  dispute: null,
} as const;

it('the page of an open payment is given out only while somebody would hear that it was paid', () => {
  expect(toPaymentResponse(payment, true).action_url).toBe(payment.actionUrl);
  expect(toPaymentResponse(payment, false).action_url).toBeNull();
});
