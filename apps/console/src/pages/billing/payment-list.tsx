import { useInfiniteQuery } from '@tanstack/react-query';
import { type Payment, paymentsInfiniteQueryOptions } from '../../api/billing.ts';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatAmount } from '../../lib/amount.ts';
import { formatDateTime } from '../../lib/format.ts';
import { isHttpUrl } from '../../lib/is-http-url.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import { describePaymentState } from './describe-payment-state.ts';
import { ReceiptButton } from './receipt-button.tsx';

const COLUMNS: Column<Payment>[] = [
  { key: 'when', title: texts.billing.when, render: (payment) => <Time value={payment.created_at} /> },
  { key: 'what', title: texts.billing.what, render: ({ kind }) => texts.billing.paymentKinds[kind] ?? kind },
  {
    key: 'credits',
    title: texts.billing.creditsColumn,
    render: ({ credits, reversed_credits: reversed }) => (
      <>
        {formatNumber(credits)}
        {reversed > 0 && <div className="text-muted text-xs">{texts.billing.takenBack(reversed)}</div>}
      </>
    ),
  },
  {
    key: 'amount',
    title: texts.billing.amount,
    render: ({ amount, refunded_amount: refunded, currency }) =>
      amount !== null &&
      currency !== null && (
        <>
          {formatAmount(amount, currency)}
          {refunded > 0 && (
            <div className="text-muted text-xs">
              {texts.billing.refunded(formatAmount(refunded, currency))}
            </div>
          )}
        </>
      ),
  },
  {
    key: 'state',
    title: texts.billing.state,
    render: (payment) => {
      const { label, notes } = describePaymentState(payment);
      return (
        <>
          {label}
          {notes.map((note) => (
            <div key={note} className="text-muted text-xs break-words">
              {note}
            </div>
          ))}
        </>
      );
    },
  },
  { key: 'link', title: texts.billing.document, render: (payment) => <PaymentLink payment={payment} /> },
];

export function PaymentList({ accountId }: { accountId: string }) {
  const payments = useInfiniteQuery(paymentsInfiniteQueryOptions(accountId));
  return (
    <>
      <h2 className="text-base font-semibold">{texts.billing.list}</h2>
      <PagedTable
        label={texts.billing.list}
        query={payments}
        rows={payments.data?.pages.flatMap((page) => page.payments)}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={texts.billing.noPayments}
        more={texts.billing.morePayments}
      />
    </>
  );
}

function PaymentLink({ payment }: { payment: Payment }) {
  const { receipt_url: receipt, action_url: action, state, created_at: createdAt } = payment;
  if (action === null) return receipt === null ? null : <ReceiptButton payment={payment} />;
  if (!isHttpUrl(action)) return null;
  const name = state === 'action_required' ? texts.billing.confirm : texts.billing.pay;
  return (
    <a
      href={action}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline"
      aria-label={texts.billing.linkLabel(name, formatDateTime(createdAt))}
    >
      {name}
    </a>
  );
}
