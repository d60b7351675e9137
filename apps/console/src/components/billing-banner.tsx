import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute, useSearch } from '@tanstack/react-router';
import { balanceQueryOptions } from '../api/billing.ts';
import { describeBillingProblem } from '../lib/describe-billing-problem.ts';

interface BillingBannerProps {
  account: { id: string; permissions: readonly string[] };
}

/** At the top of every page while something keeps jobs of the account from being created, or soon will. */
export function BillingBanner({ account: { id, permissions } }: BillingBannerProps) {
  const { data: balance } = useQuery(balanceQueryOptions(id));
  const problem = balance && describeBillingProblem(balance);
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
