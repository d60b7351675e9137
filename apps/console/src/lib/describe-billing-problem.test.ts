import { expect, it } from 'vitest';
import type { BalanceAndPaymentStatus } from '../api/billing.ts';
import { describeBillingProblem } from './describe-billing-problem.ts';

const SOUND: BalanceAndPaymentStatus = {
  balance: 100,
  held: 0,
  owed: 0,
  disputed: false,
  suspended: false,
  alert_below: null,
  payments_to_confirm: 0,
  recharge_paused: false,
  recharges: false,
  credits_per_second: 1,
};

it.each<[string | null, Partial<BalanceAndPaymentStatus>]>([
  [null, {}],
  ['The bank wants a payment', { payments_to_confirm: 1, recharge_paused: true }],
  // The confirmation expires after a day.
  ['Auto-recharge is paused', { recharge_paused: true }],
  ['Auto-recharge is paused', { recharge_paused: true, alert_below: 200 }],
  ['no credits left: no jobs can be created', { recharge_paused: true, balance: 0 }],
  ['no credits left. The next job charges the saved card', { recharges: true, balance: 0 }],
  ['The balance is low: 100 credits are left.', { alert_below: 200 }],
  ['1 credit is left.', { balance: 1, alert_below: 5 }],
  ['1,500 credits are left.', { balance: 1_500, alert_below: 2_000 }],
  ['The account owes 1 credit. No jobs can be created until it is paid.', { owed: 1 }],
])('%j: %j', (text, status) => {
  const problem = describeBillingProblem({ ...SOUND, ...status });
  if (text === null) expect(problem).toBeNull();
  else expect(problem?.text).toContain(text);
});

it('leads to the settings of a paused auto-recharge, which saving resumes without a payment', () => {
  expect(describeBillingProblem({ ...SOUND, recharge_paused: true })).toMatchObject({
    text: expect.stringContaining('saving them resumes it') as string,
    link: 'Payments',
    ask: 'Ask an owner or admin to resume it.',
  });
});
