import { useQuery } from '@tanstack/react-query';
import { billingQuery } from '../../api/billing.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { LoadError } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/index.ts';
import { AlertSection } from './alert-section.tsx';
import { CardSection } from './card-section.tsx';
import { PaymentList } from './payment-list.tsx';
import { RechargeSection } from './recharge-section.tsx';
import { TopUpSection } from './top-up-section.tsx';

/** For who may pay. */
export function PaymentsView({ account }: { account: { id: string } }) {
  const billing = useQuery(billingQuery(account.id));
  if (billing.isError && !billing.data)
    return <LoadError error={billing.error} onRetry={() => void billing.refetch()} />;
  if (!billing.data) return <Skeleton rows={8} />;
  const { card_payments: cards, auto_recharge: recharge } = billing.data;
  return (
    <>
      {cards ? (
        <div className="grid gap-5 lg:grid-cols-2">
          <TopUpSection cards={cards} />
          <CardSection accountId={account.id} card={cards.saved_card} />
          <RechargeSection accountId={account.id} cards={cards} recharge={recharge} />
          <AlertSection accountId={account.id} billing={billing.data} />
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
          <AlertSection accountId={account.id} billing={billing.data} />
        </>
      )}
      <PaymentList accountId={account.id} />
    </>
  );
}
