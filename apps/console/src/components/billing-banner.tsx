import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute, useSearch } from '@tanstack/react-router';
import { type BalanceAndPaymentStatus, balanceQueryOptions } from '../api/billing.ts';
import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/index.ts';

interface BillingBannerProps {
  account: { id: string; permissions: readonly string[] };
}

/** At the top of every page while something keeps jobs of the account from being created, or soon will. */
export function BillingBanner({ account: { id, permissions } }: BillingBannerProps) {
  const { data: balance } = useQuery(balanceQueryOptions(id));
  const problem = balance && describeProblem(balance);
  const mayPay = permissions.includes('billing.write');
  return (
    <div role="status">
      {problem && (
        <p className={`px-4 py-2 text-center ${problem.isWarning ? 'bg-warning-soft' : 'bg-danger-soft'}`}>
          {problem.text} {mayPay ? problem.link && <PaymentsLink text={problem.link} /> : problem.ask}
        </p>
      )}
    </div>
  );
}

/** Not on the page that it leads to. */
function PaymentsLink({ text }: { text: string }) {
  const isOnBilling = useMatchRoute()({ to: '/billing' }) !== false;
  const { view } = useSearch({ strict: false });
  if (isOnBilling && view === 'payments') return null;
  return (
    <Link to="/billing" search={{ view: 'payments' }} className="text-accent underline">
      {text}
    </Link>
  );
}

interface Problem {
  text: string;
  /** For who may pay: the link to the payments, if they are the remedy. */
  link?: string;
  /** For all others. */
  ask?: string;
  /** Jobs can still be created. */
  isWarning?: boolean;
}

/** The gravest one. */
function describeProblem(account: BalanceAndPaymentStatus): Problem | null {
  const { banner } = texts.billing;
  const { balance, owed, alert_below: below, credits_per_second: price } = account;
  const topUp = { link: banner.topUp, ask: banner.askToTopUp };
  if (account.suspended) return { text: banner.suspended };
  if (account.disputed) return { text: banner.disputed, link: banner.payments };
  if (owed > 0) return { text: banner.owed(formatNumber(owed)), ...topUp };
  if (account.payments_to_confirm > 0)
    return { text: banner.confirm, link: banner.payments, ask: banner.askToConfirm, isWarning: true };
  if (balance === 0 && price > 0) return { text: banner.empty, ...topUp };
  if (below === null || balance >= below) return null;
  return { text: banner.low(formatNumber(balance)), ...topUp, isWarning: true };
}
