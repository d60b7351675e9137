export { openAccount } from './accounts.js';
export { CreditEffects } from './credit-effects.js';
export { CreditGate } from './credit-gate.js';
export { balanceOf, grant, hold, settle } from './ledger.js';
export { priceOf } from './price.js';
