import { useMutation } from '@tanstack/react-query';
import type { CreditPackagesAndSavedCard } from '../../api/billing.ts';
import { requestJson } from '../../api/client.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { formatAmount } from '../../lib/amount.ts';
import { useResetMutationIfPageStays } from '../../lib/use-reset-mutation-if-page-stays.ts';
import { texts } from '../../texts/index.ts';

export function TopUpSection({ cards }: { cards: CreditPackagesAndSavedCard }) {
  const start = useMutation({
    mutationFn: (credits: number) =>
      requestJson<ConsoleApiSchema<'TopUpCheckoutResponse'>>('POST', 'billing/top-ups', { credits }),
    // The service answers with URLs of its payment provider only.
    onSuccess: ({ url }) => globalThis.location.assign(url),
  });
  useResetMutationIfPageStays(start);
  const isStarted = start.isPending || start.isSuccess;
  return (
    <Section title={texts.billing.topUp}>
      <p className="text-muted">{texts.billing.topUpText}</p>
      <ul className="divide-line flex flex-col divide-y">
        {cards.packages.map(({ credits, amount }) => {
          const price = formatAmount(amount, cards.currency);
          return (
            <li key={credits} className="flex items-center gap-3 py-2">
              <span className="mr-auto">{texts.billing.credits(credits)}</span>
              <span className="font-medium">{price}</span>
              <Button
                look="primary"
                aria-label={texts.billing.buyLabel(credits, price)}
                busy={isStarted}
                onClick={() => start.mutate(credits)}
              >
                {texts.billing.buy}
              </Button>
            </li>
          );
        })}
      </ul>
      <p role="status" className="text-muted empty:absolute">
        {isStarted && texts.billing.opening}
      </p>
      <ActionErrorNotice error={start.error} />
      {/* The card is charged on the page of Stripe, which was not opened. */}
      {start.isError && <p>{texts.billing.nothingCharged}</p>}
    </Section>
  );
}
