export { balanceOf, grant, hold, settle } from './ledger.js';
export { priceOf } from './price.js';
