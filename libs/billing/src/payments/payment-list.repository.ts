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
}

const COLUMNS = `payment.id, payment.kind, payment.state, payment.credits, payment.amount, payment.currency,
     payment.refunded_amount AS "refundedAmount", payment.reversed_credits AS "reversedCredits", payment.failure,
     payment.receipt_url AS "receiptUrl", payment.action_url AS "actionUrl",
     payment.created_at AS "createdAt", payment.ended_at AS "endedAt"`;

const PAYMENT_PAGE = buildAccountScopedQuery(
  'payment-page',
  `SELECT ${COLUMNS} FROM payment WHERE payment.account_id = $1 AND ($2::uuid IS NULL OR payment.id < $2) ORDER BY payment.id DESC LIMIT $3`,
);

const ONE_PAYMENT = buildAccountScopedQuery(
  'one-payment',
  `SELECT ${COLUMNS} FROM payment WHERE payment.account_id = $1 AND payment.id = $2`,
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
  const found = await queryAccountRows<AccountPayment>(dataSource, accountId, PAYMENT_PAGE, [
    before,
    limit + 1,
  ]);
  const payments = found.slice(0, limit);
  return { payments, nextBefore: found.length > limit ? (payments.at(-1)?.id ?? null) : null };
}

/** @returns null if the account has no such payment */
export async function findAccountPayment(
  dataSource: DataSource,
  accountId: string,
  id: string,
): Promise<AccountPayment | null> {
  const [payment] = await queryAccountRows<AccountPayment>(dataSource, accountId, ONE_PAYMENT, [id]);
  return payment ?? null;
}
