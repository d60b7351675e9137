import { useQuery } from '@tanstack/react-query';
import { billingQueryOptions } from '../../api/billing.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/index.ts';
import { BalanceAlertSection } from './alert-section.tsx';
import { SavedCardSection } from './card-section.tsx';
import { PaymentList } from './payment-list.tsx';
import { AutoRechargeSection } from './recharge-section.tsx';
import { TopUpSection } from './top-up-section.tsx';

/** For who may pay. */
export function PaymentsAndRechargeView({ account }: { account: { id: string } }) {
  const billing = useQuery(billingQueryOptions(account.id));
  if (billing.isError && !billing.data)
    return <LoadErrorNotice error={billing.error} onRetry={() => void billing.refetch()} />;
  if (!billing.data) return <Skeleton rows={8} />;
  const { card_payments: cards, auto_recharge: recharge } = billing.data;
  return (
    <>
      {cards ? (
        <div className="grid gap-5 lg:grid-cols-2">
          <TopUpSection cards={cards} />
          <SavedCardSection accountId={account.id} card={cards.saved_card} />
          <AutoRechargeSection accountId={account.id} cards={cards} recharge={recharge} />
          <BalanceAlertSection accountId={account.id} billing={billing.data} />
        </div>
      ) : (
        <>
          <Section title={texts.billing.noStripeTitle}>
            <p>{texts.billing.noStripe}</p>
            <CopyField
              label={texts.billing.command}
              value={`npm run --silent admin -- credits grant --account ${account.id} --credits 36000`}
            />
          </Section>
          <BalanceAlertSection accountId={account.id} billing={billing.data} />
        </>
      )}
      <PaymentList accountId={account.id} />
    </>
  );
}
