import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CreditPackagesAndSavedCard, refreshBillingAndBalance } from '../../api/billing.ts';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';
import { ReauthenticationDialog } from '../reauthentication-dialog.tsx';

export function SavedCardSection({
  accountId,
  card,
}: {
  accountId: string;
  card: CreditPackagesAndSavedCard['saved_card'];
}) {
  const container = useFocusAfterRemoval<HTMLDivElement>(Number(card !== null));
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      requestJson<void>('DELETE', 'billing/card', confirmation),
    onSuccess: async () => {
      await refreshBillingAndBalance(queryClient, accountId);
      setConfirming(false);
    },
  });
  return (
    <Section title={texts.billing.card}>
      <div ref={container} tabIndex={-1} className="flex flex-col gap-3">
        {card ? (
          <>
            <p className="font-medium">
              {texts.billing.cardName(formatBrand(card.brand), card.last4 ?? '····')}
            </p>
            {card.expires !== null && (
              <p className="text-muted">{texts.billing.cardExpires(formatMonth(card.expires))}</p>
            )}
            <Button look="danger" className="self-start" onClick={() => setConfirming(true)}>
              {texts.billing.removeCard}
            </Button>
          </>
        ) : (
          <p className="text-muted">{texts.billing.noCard}</p>
        )}
      </div>
      {isConfirming && (
        <ReauthenticationDialog
          title={texts.billing.removeCardTitle}
          text={texts.billing.removeCardText}
          action={texts.billing.removeCard}
          look="danger"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={(confirmation) => remove.mutate(confirmation)}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  );
}

function formatBrand(brand: string | null): string {
  if (brand === null) return texts.billing.card;
  return `${brand[0]?.toUpperCase() ?? ''}${brand.slice(1)}`;
}

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** @param month `YYYY-MM` */
function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}
