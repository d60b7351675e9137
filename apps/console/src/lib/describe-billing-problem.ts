import type { BalanceAndPaymentStatus } from '../api/billing.ts';
import { texts } from '../texts/index.ts';

export interface BillingProblem {
  text: string;
  /** For who may pay: the link to the payments, if they are the remedy. */
  link?: string;
  /** For all others. */
  ask?: string;
  /** Jobs can still be created. */
  isWarning?: boolean;
}

/** The gravest one. */
export function describeBillingProblem(account: BalanceAndPaymentStatus): BillingProblem | null {
  const { banner } = texts.billing;
  const { balance, owed, alert_below: below, credits_per_second: price } = account;
  const topUp = { link: banner.topUp, ask: banner.askToTopUp };
  if (account.suspended) return { text: banner.suspended };
  if (account.disputed) return { text: banner.disputed, link: banner.payments };
  if (owed > 0) return { text: banner.owed(owed), ...topUp };
  if (account.payments_to_confirm > 0)
    return { text: banner.confirm, link: banner.payments, ask: banner.askToConfirm, isWarning: true };
  if (balance === 0 && price > 0)
    return account.recharges
      ? { text: banner.emptyButRecharges, link: banner.payments, ask: banner.askToTopUp, isWarning: true }
      : { text: banner.empty, ...topUp };
  if (account.recharge_paused)
    return { text: banner.paused, link: banner.payments, ask: banner.askToResume, isWarning: true };
  if (below === null || balance >= below) return null;
  return { text: banner.low(balance), ...topUp, isWarning: true };
}
