export { type AccountAndKeyUsage, readAccountAndKeyUsage, createAccount } from './account.repository.js';
export { CreditHooks } from './credit-hooks.js';
export { CreditCheck, type CreditCheckOptions } from './credit-check.js';
export {
  type CreditEntryView,
  type CreditStatement,
  readCreditBalance,
  grantCredits,
  HELD_CREDITS_SQL,
  holdCredits,
  OPEN_HOLDS_SQL,
  readCreditStatement,
  settleCreditHold,
} from './ledger.repository.js';
export {
  findRechargeSettings,
  type RechargeSettings,
  setRechargeSettings,
} from './payments/auto-recharge.repository.js';
export {
  ManualPayments,
  type ChargeResult,
  type ChargeRequest,
  type PaymentPort,
} from './payments/payment-port.js';
export {
  declinePayment,
  findPayment,
  listPayments,
  type PaymentView,
  settlePaymentAndGrantCredits,
} from './payments/payment.repository.js';
export { Recharger, type RechargeOutcome } from './payments/recharger.js';
export { computePrice } from './price.js';
