export { type AccountAndKeyUsage, readAccountAndKeyUsage, createAccount } from './account.repository.js';
export { type BillingOverview, readBillingOverview } from './billing-overview.js';
export { type DayUsage, MAX_USAGE_DAYS, readUsageByDay } from './usage-by-day.repository.js';
export { claimDueAlerts, type DueAlert, postponeAlert, setCreditAlert } from './credit-alert.repository.js';
export { type CreditSummary, readCreditSummary } from './credit-summary.repository.js';
export { CreditHooks } from './credit-hooks.js';
export { CreditCheck, type CreditCheckOptions } from './credit-check.js';
export {
  type CreditEntryView,
  type CreditStatement,
  readCreditBalance,
  grantCredits,
  SUM_OF_HOLDS_SQL,
  holdCredits,
  OPEN_HOLDS_SQL,
  type LedgerPage,
  readCreditStatement,
  readLedgerPage,
  settleCreditHold,
} from './ledger.repository.js';
export {
  findRechargeSettings,
  type RechargePause,
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
  type RecordChange,
  settlePaymentAndGrantCredits,
} from './payments/payment.repository.js';
export {
  claimPaymentsToConfirm,
  type PaymentToConfirm,
  postponePaymentNotice,
} from './payments/payment-notice.repository.js';
export {
  findAccountPayment,
  type ListedPayment,
  type PaymentListPage,
  readPaymentListPage,
} from './payments/payment-list.repository.js';
export { type CreditPackage, formatAmount, parseAmount } from './payments/price-list.js';
export { CARD_PAYMENTS, CardPayments, type TopUpCheckout } from './payments/stripe/card-payments.js';
export { listDisputes, type DisputeView } from './payments/dispute.repository.js';
export { findStripeCustomer } from './payments/stripe/stripe-customer.repository.js';
export type { StripeOptions } from './payments/stripe/stripe-options.js';
export { collectOwedCredits } from './owed-credits.repository.js';
export { Recharger, type RechargeOutcome } from './payments/recharger.js';
export { computePrice } from './price.js';
