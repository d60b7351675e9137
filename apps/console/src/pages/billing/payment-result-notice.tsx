import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Payment } from '../../api/billing.ts';
import { ApiError, requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { LoadErrorNotice, Notice } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';

const CHECK_AGAIN_MS = 5_000;

interface PaymentResultProps {
  accountId: string;
  paymentId: string;
  result: 'paid' | 'cancelled' | undefined;
}

/** After the page of Stripe. Asks the service for the state, because the URL proves nothing. */
export function PaymentResultNotice({ accountId, paymentId, result }: PaymentResultProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const payment = useQuery({
    queryKey: [accountId, 'payment', paymentId],
    queryFn: () => requestJson<Payment>('POST', `billing/payments/${encodeURIComponent(paymentId)}/refresh`),
    retry: false,
    refetchInterval: ({ state }) => (isOpen(state.data) && result === 'paid' ? CHECK_AGAIN_MS : false),
  });
  const isSettled = payment.data?.state === 'settled';
  useEffect(() => {
    if (!isSettled) return;
    for (const what of ['balance', 'billing', 'payments', 'ledger'])
      void queryClient.invalidateQueries({ queryKey: [accountId, what] });
  }, [isSettled, queryClient, accountId]);
  if (payment.error instanceof ApiError && payment.error.status === 404)
    return <Notice kind="error">{texts.billing.result.unknown}</Notice>;
  if (payment.isError)
    return <LoadErrorNotice error={payment.error} onRetry={() => void payment.refetch()} />;
  if (!payment.data) return <Notice>{texts.billing.result.checking}</Notice>;
  return (
    <Notice kind={isSettled ? 'success' : 'info'}>
      <p>{describeResult(payment.data, result)}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {isOpen(payment.data) && result === 'paid' && (
          <Button busy={payment.isFetching} onClick={() => void payment.refetch()}>
            {texts.billing.result.check}
          </Button>
        )}
        <Button
          onClick={() => void navigate({ to: '/billing', search: { view: 'payments' }, replace: true })}
        >
          {texts.close}
        </Button>
      </div>
    </Notice>
  );
}

function isOpen(payment: Payment | undefined): boolean {
  return payment !== undefined && ['checkout', 'requested', 'action_required'].includes(payment.state);
}

function describeResult(payment: Payment, result: 'paid' | 'cancelled' | undefined): string {
  const { result: messages } = texts.billing;
  if (payment.state === 'settled') return messages.settled(payment.credits);
  if (!isOpen(payment)) return messages.declined;
  return result === 'cancelled' ? messages.cancelled : messages.open;
}
