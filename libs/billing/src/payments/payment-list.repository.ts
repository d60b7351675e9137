import {
  buildAccountScopedQuery,
  type PaymentKind,
  type PaymentState,
  queryAccountRows,
} from '@app/database';
import type { DataSource } from 'typeorm';

/** A payment as its account sees it. Amounts are in the smallest unit of the currency. */
export interface AccountPayment {
  id: string;
  kind: PaymentKind;
  state: PaymentState;
  credits: number;
  /** Null if the operator collects it. */
  amount: number | null;
  currency: string | null;
  refundedAmount: number;
  /** Credits that refunds and lost disputes took back. */
  reversedCredits: number;
  failure: string | null;
  receiptUrl: string | null;
  /** Where the owner of the card completes it; null unless it waits for that. */
  actionUrl: string | null;
  createdAt: Date;
  endedAt: Date | null;
  /** The open one, else the newest. */
  dispute: AccountPaymentDispute | null;
}

export interface AccountPaymentDispute {
  /** As the payment provider names it, such as `needs_response` or `lost`. */
  status: string;
  amount: number;
  currency: string;
  createdAt: Date;
  closedAt: Date | null;
}

interface PaymentRow extends Omit<AccountPayment, 'dispute'> {
  disputeStatus: string | null;
  disputeAmount: number;
  disputeCurrency: string;
  disputeCreatedAt: Date;
  disputeClosedAt: Date | null;
}

const COLUMNS = `payment.id, payment.kind, payment.state, payment.credits, payment.amount, payment.currency,
     payment.refunded_amount AS "refundedAmount", payment.reversed_credits AS "reversedCredits", payment.failure,
     payment.receipt_url AS "receiptUrl", payment.action_url AS "actionUrl",
     payment.created_at AS "createdAt", payment.ended_at AS "endedAt",
     dispute.status AS "disputeStatus", dispute.amount AS "disputeAmount", dispute.currency AS "disputeCurrency",
     dispute.created_at AS "disputeCreatedAt", dispute.closed_at AS "disputeClosedAt"`;

const FROM_PAYMENT_WITH_DISPUTE = `FROM payment LEFT JOIN LATERAL (
       SELECT * FROM payment_dispute WHERE payment_dispute.payment_id = payment.id
       ORDER BY (payment_dispute.closed_at IS NULL) DESC, payment_dispute.created_at DESC LIMIT 1
     ) dispute ON true`;

const PAYMENT_PAGE = buildAccountScopedQuery(
  'payment-page',
  `SELECT ${COLUMNS} ${FROM_PAYMENT_WITH_DISPUTE}
   WHERE payment.account_id = $1 AND ($2::uuid IS NULL OR payment.id < $2) ORDER BY payment.id DESC LIMIT $3`,
);

const ONE_PAYMENT = buildAccountScopedQuery(
  'one-payment',
  `SELECT ${COLUMNS} ${FROM_PAYMENT_WITH_DISPUTE} WHERE payment.account_id = $1 AND payment.id = $2`,
);

export interface PaymentListPage {
  /** Newest first. */
  payments: AccountPayment[];
  /** Id for `before` of the next page; null on the last one. */
  nextBefore: string | null;
}

/** @param before id of a payment: only older ones */
export async function readPaymentListPage(
  dataSource: DataSource,
  accountId: string,
  { limit, before = null }: { limit: number; before?: string | null },
): Promise<PaymentListPage> {
  const found = await queryAccountRows<PaymentRow>(dataSource, accountId, PAYMENT_PAGE, [before, limit + 1]);
  const payments = found.slice(0, limit).map(toAccountPayment);
  return { payments, nextBefore: found.length > limit ? (payments.at(-1)?.id ?? null) : null };
}

/** @returns null if the account has no such payment */
export async function findAccountPayment(
  dataSource: DataSource,
  accountId: string,
  id: string,
): Promise<AccountPayment | null> {
  const [payment] = await queryAccountRows<PaymentRow>(dataSource, accountId, ONE_PAYMENT, [id]);
  return payment ? toAccountPayment(payment) : null;
}

function toAccountPayment({
  disputeStatus: status,
  disputeAmount: amount,
  disputeCurrency: currency,
  disputeCreatedAt: createdAt,
  disputeClosedAt: closedAt,
  ...payment
}: PaymentRow): AccountPayment {
  return { ...payment, dispute: status === null ? null : { status, amount, currency, createdAt, closedAt } };
}
