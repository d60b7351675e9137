export { type AccountFigures, accountFigures } from './account-figures.js';
export { openAccount } from './accounts.js';
export { CreditEffects } from './credit-effects.js';
export { CreditGate, type CreditGateOptions } from './credit-gate.js';
export { HELD_CREDITS, OPEN_HOLDS } from './held-credits.js';
export { balanceOf, grant, hold, settle } from './ledger.js';
export { rechargeOf, type RechargeSettings, setRecharge } from './payments/auto-recharge.js';
export { ManualPayments } from './payments/manual-payments.js';
export type { ChargeAnswer, ChargeRequest, PaymentPort } from './payments/payment-port.js';
export {
  declinePayment,
  findPayment,
  listPayments,
  type PaymentView,
  settlePayment,
} from './payments/payments.js';
export { Recharger, type RechargeState } from './payments/recharger.js';
export { priceOf } from './price.js';
export { type CreditEntryView, type CreditStatement, creditStatement } from './statement.js';
