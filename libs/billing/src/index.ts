export {
  type AccountCreditsAndUsageTodayOfKey,
  readAccountCreditsAndUsageTodayOfKey,
  createAccount,
} from './account.repository.js';
export { type BillingOverview, readBillingOverview } from './billing-overview.js';
export {
  type UsageOfDayKeyAndSource,
  MAX_USAGE_DAYS,
  readUsageByDayKeyAndSource,
} from './usage-by-day.repository.js';
export {
  claimDueCreditAlerts,
  type DueCreditAlert,
  postponeCreditAlert,
  setCreditAlert,
} from './credit-alert.repository.js';
export {
  type CreditAndPaymentStatus,
  readCreditAndPaymentStatus,
} from './credit-and-payment-status.repository.js';
export { CreditJobHooks } from './credit-job-hooks.js';
export { CreditCheckWithRecharge, type CreditCheckWithRechargeOptions } from './credit-check.js';
export {
  type StoredCreditEntry,
  type CreditsWithNewestEntries,
  readCreditBalance,
  grantOrDeductCredits,
  SUM_OF_OPEN_CREDIT_HOLDS_SQL,
  holdCredits,
  OPEN_CREDIT_HOLDS_SQL,
  type LedgerPage,
  readCreditsWithNewestEntries,
  readLedgerPage,
  settleCreditHold,
} from './ledger.repository.js';
export {
  findRechargeSettings,
  type RechargePause,
  type RechargeSettings,
  setRechargeSettingsAndEndPause,
} from './payments/auto-recharge.repository.js';
export {
  OperatorSettledPaymentPort,
  type ChargeResult,
  type ChargeRequest,
  type PaymentPort,
} from './payments/payment-port.js';
export {
  declinePayment,
  findPayment,
  listPayments,
  type StoredPayment,
  type ChangeAuditCallback,
  settleRequestedPaymentAndGrantCredits,
} from './payments/payment.repository.js';
export {
  claimActionRequiredPaymentNotices,
  type ActionRequiredPaymentNotice,
  postponePaymentNotice,
} from './payments/payment-notice.repository.js';
export {
  findAccountPayment,
  type AccountPayment,
  type PaymentListPage,
  readPaymentListPage,
} from './payments/payment-list.repository.js';
export { type CreditPackage, formatAmount, parseAmount } from './payments/price-list.js';
export { CARD_PAYMENTS_TOKEN, CardPayments, type TopUpCheckout } from './payments/stripe/card-payments.js';
export { listDisputes, type StoredPaymentDispute } from './payments/dispute.repository.js';
export { findStoredStripeCustomer } from './payments/stripe/stripe-customer.repository.js';
export type { StripeOptions } from './payments/stripe/stripe-options.js';
export { collectOwedCredits } from './owed-credits.repository.js';
export { Recharger, type RechargeOutcome } from './payments/recharger.js';
export { computePriceInCredits } from './price.js';
