import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { balanceQueryOptions } from '../../api/billing.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatDurationInWords } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';
import { LedgerView } from './ledger.tsx';
import { PaymentResultNotice } from './payment-result-notice.tsx';
import { PaymentsAndRechargeView } from './payments.tsx';
import { UsageView } from './usage.tsx';

const VIEWS = ['usage', 'payments', 'ledger'] as const;

export function BillingPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const search = useSearch({ from: '/shell/billing' });
  const account = session.account;
  if (!account) return null;
  const mayPay = account.permissions.includes('billing.write');
  const views = VIEWS.filter((view) => mayPay || view !== 'payments');
  const shown = views.find((view) => view === search.view) ?? 'usage';
  return (
    <Page title={texts.billing.title}>
      {mayPay && search.payment !== undefined && (
        <PaymentResultNotice accountId={account.id} paymentId={search.payment} result={search.result} />
      )}
      <BalanceSection accountId={account.id} />
      <nav aria-label={texts.billing.views} className="border-line flex gap-1 border-b">
        {views.map((view) => (
          <Link
            key={view}
            to="/billing"
            search={{ view }}
            aria-current={view === shown ? 'page' : undefined}
            className="text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink border-b-2 border-transparent px-3 py-2 font-medium"
          >
            {texts.billing[view]}
          </Link>
        ))}
      </nav>
      {shown === 'usage' && <UsageView accountId={account.id} />}
      {shown === 'payments' && <PaymentsAndRechargeView account={account} />}
      {shown === 'ledger' && <LedgerView accountId={account.id} />}
    </Page>
  );
}

function BalanceSection({ accountId }: { accountId: string }) {
  const balance = useQuery(balanceQueryOptions(accountId));
  if (balance.isError && !balance.data)
    return <LoadErrorNotice error={balance.error} onRetry={() => void balance.refetch()} />;
  if (!balance.data) return <Skeleton rows={2} />;
  const { balance: credits, held, owed, credits_per_second: price } = balance.data;
  return (
    <Section title={texts.billing.balance}>
      <p className="text-2xl font-semibold">{texts.billing.credits(credits)}</p>
      <p className="text-muted">
        {price === 0
          ? texts.billing.free
          : credits > 0 && texts.billing.enoughFor(formatDurationInWords(credits / price))}
        {held > 0 && ` ${texts.billing.held(held)}`}
      </p>
      {owed > 0 && <p className="text-danger">{texts.billing.owed(owed)}</p>}
    </Section>
  );
}
