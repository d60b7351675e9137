export { type AccountUsage, readAccountUsage } from './account-usage.js';
export { createAccount } from './create-account.js';
export { CreditHooks } from './credit-hooks.js';
export { CreditCheck, type CreditCheckOptions } from './credit-check.js';
export { HELD_CREDITS_SQL, OPEN_HOLDS_SQL } from './held-credits.js';
export { getBalance, grant, hold, settleHold } from './ledger.js';
export { getRechargeSettings, type RechargeSettings, setRechargeSettings } from './payments/auto-recharge.js';
export { ManualPayments } from './payments/manual-payments.js';
export type { ChargeResult, ChargeRequest, PaymentPort } from './payments/payment-port.js';
export {
  declinePayment,
  findPayment,
  listPayments,
  type PaymentView,
  settlePayment,
} from './payments/payments.js';
export { Recharger, type RechargeState } from './payments/recharger.js';
export { computePrice } from './price.js';
export { type CreditEntryView, type CreditStatement, readCreditStatement } from './credit-statement.js';
