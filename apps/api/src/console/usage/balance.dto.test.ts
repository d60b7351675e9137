import { expect, it } from 'vitest';
import { toBalanceFields } from './balance.dto.js';

const summary = {
  balance: 0,
  held: 0,
  owed: 0,
  isDisputed: false,
  isSuspended: false,
  alertBelow: null,
  paymentsToConfirm: 1,
  isRechargePaused: true,
};

it('the balance reports payments to confirm and a pause only while cards can be charged', () => {
  const build = (hasCardPayments: boolean) =>
    toBalanceFields(summary, { creditsPerSecond: 1, hasCardPayments });
  expect(build(true)).toMatchObject({ payments_to_confirm: 1, recharge_paused: true });
  expect(build(false)).toMatchObject({ payments_to_confirm: 0, recharge_paused: false });
});
