import { useMutation } from '@tanstack/react-query';
import type { Payment } from '../../api/billing.ts';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { isHttpUrl } from '../../lib/is-http-url.ts';
import { texts } from '../../texts/index.ts';

/** Asks Stripe for the address, because those of receipts expire within 30 days. */
export function ReceiptButton({ payment: { id, created_at: createdAt } }: { payment: Payment }) {
  const open = useMutation<Payment, Error, Window | null>({
    mutationFn: () => requestJson<Payment>('POST', `billing/payments/${encodeURIComponent(id)}/refresh`),
    onSuccess: ({ receipt_url: address }, tab) => {
      if (address === null || !isHttpUrl(address)) tab?.close();
      else if (tab === null) window.location.assign(address);
      else {
        tab.opener = null;
        tab.location.replace(address);
      }
    },
    onError: (_, tab) => tab?.close(),
  });
  return (
    <>
      <Button
        look="plain"
        className="-mx-3"
        busy={open.isPending}
        aria-label={texts.billing.linkLabel(texts.billing.receipt, formatDateTime(createdAt))}
        // Browsers let a page open a tab during a click only, and the address comes later.
        onClick={() => open.mutate(window.open('about:blank', '_blank'))}
      >
        {texts.billing.receipt}
      </Button>
      <ActionErrorNotice error={open.error} />
    </>
  );
}
