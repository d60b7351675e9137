export { openAccount } from './accounts.js';
export { CreditEffects } from './credit-effects.js';
export { balanceOf, grant, hold, settle } from './ledger.js';
export { priceOf } from './price.js';
