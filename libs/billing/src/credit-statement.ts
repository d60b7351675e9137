import { type CreditKind, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { HELD_CREDITS_SQL, OPEN_HOLDS_SQL } from './held-credits.js';

export interface CreditEntryView {
  id: number;
  kind: CreditKind;
  /** What it added to the balance. */
  amount: number;
  jobId: string | null;
  paymentId: string | null;
  note: string | null;
  createdAt: Date;
}

export interface CreditStatement {
  /** Credits that can be spent now. */
  balance: number;
  /** Credits set aside for jobs that have not ended; no part of the balance. */
  held: number;
  /** Newest first. */
  entries: CreditEntryView[];
}

/** @returns null when there is no such account. */
export async function readCreditStatement(
  dataSource: DataSource,
  accountId: string,
  limit: number,
): Promise<CreditStatement | null> {
  const [sums] = await queryRows<{ balance: number; held: number }>(
    dataSource,
    `SELECT balance, (
       SELECT ${HELD_CREDITS_SQL} FROM ${OPEN_HOLDS_SQL} AND account_id = $1
     ) AS held
     FROM account WHERE id = $1`,
    [accountId],
  );
  if (!sums) return null;
  const entries = await queryRows<CreditEntryView>(
    dataSource,
    `SELECT id, kind, amount, job_id AS "jobId", payment_id AS "paymentId", note, created_at AS "createdAt"
     FROM credit_entry WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
    [accountId, limit],
  );
  return { ...sums, entries };
}
