export { readAccountCreditsAndUsageTodayOfKey, createAccount } from './account.repository.js';
export { type BillingOverview, readBillingOverview } from './billing-overview.js';
export { MAX_USAGE_DAYS, readUsageByDayKeyAndAudioSource } from './usage-by-day.repository.js';
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
export { CreditCheckWithRecharge } from './credit-check.js';
export {
  type CreditsWithNewestEntries,
  readCreditBalance,
  grantOrDeductCredits,
  SUM_OF_OPEN_CREDIT_HOLDS_SQL,
  holdCredits,
  FROM_OPEN_CREDIT_HOLDS_SQL,
  readCreditsWithNewestEntries,
  readLedgerPage,
  settleCreditHold,
} from './ledger.repository.js';
export {
  findRechargeSettings,
  pauseRestoredCardRecharges,
  isLimitInOtherCurrency,
  type StoredRechargeSettings,
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
  expireUnreachablePayment,
  findPayment,
  listPayments,
  type StoredPayment,
  type ChangeAuditCallback,
  settleManualPaymentAndGrantCredits,
} from './payments/payment.repository.js';
export {
  claimActionRequiredPaymentNotices,
  type ActionRequiredPaymentNotice,
  postponePaymentNotice,
} from './payments/payment-notice.repository.js';
export {
  findAccountPayment,
  type AccountPayment,
  readPaymentListPage,
} from './payments/payment-list.repository.js';
export { formatAmount, parseAmount } from './payments/credit-price-list.js';
export {
  buildCardPaymentsProvider,
  CARD_PAYMENTS_TOKEN,
  CardPayments,
} from './payments/stripe/card-payments.js';
export { listDisputes } from './payments/dispute.repository.js';
export { findStoredStripeCustomer } from './payments/stripe/stripe-customer.repository.js';
export { findReadsRefusedToStripeKey } from './payments/stripe/stripe-key-check.js';
export type { StripeOptions } from './payments/stripe/stripe-options.js';
export { collectOwedCredits } from './owed-credits.repository.js';
export { Recharger } from './payments/recharger.js';
