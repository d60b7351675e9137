import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Balance, balanceQueryOptions } from '../api/billing.ts';
import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/index.ts';

/** At the top of every page while something keeps jobs of the account from being created, or soon will. */
export function BillingBanner({ accountId }: { accountId: string }) {
  const { data: balance } = useQuery(balanceQueryOptions(accountId));
  const text = balance && describeProblem(balance);
  return (
    <div role="status">
      {text && (
        <p className="bg-danger-soft px-4 py-2 text-center">
          {text}{' '}
          <Link to="/billing" className="text-accent underline">
            {texts.billing.banner.link}
          </Link>
        </p>
      )}
    </div>
  );
}

/** The gravest one. */
function describeProblem(account: Balance): string | null {
  const { banner } = texts.billing;
  const { balance, owed, alert_below: below, credits_per_second: price } = account;
  if (account.suspended) return banner.suspended;
  if (account.disputed) return banner.disputed;
  if (owed > 0) return banner.owed(formatNumber(owed));
  if (account.payments_to_confirm > 0) return banner.confirm;
  if (balance === 0 && price > 0) return banner.empty;
  return below !== null && balance < below ? banner.low(formatNumber(balance)) : null;
}
