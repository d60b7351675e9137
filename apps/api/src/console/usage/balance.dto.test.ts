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
  isRechargeOn: false,
};

it('the balance reports payments to confirm, a pause and recharges only while cards can be charged', () => {
  const build = (hasCardPayments: boolean, changes: Partial<typeof summary> = {}) =>
    toBalanceFields({ ...summary, ...changes }, { creditsPerSecond: 1, hasCardPayments });
  expect(build(true)).toMatchObject({ payments_to_confirm: 1, recharge_paused: true });
  expect(build(false)).toMatchObject({ payments_to_confirm: 0, recharge_paused: false });
  expect(build(true).recharges).toBe(false);
  expect(build(true, { isRechargeOn: true }).recharges).toBe(true);
  expect(build(false, { isRechargeOn: true }).recharges).toBe(false);
});
