import { type CreditKind, rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';

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
export async function creditStatement(
  dataSource: DataSource,
  accountId: string,
  limit: number,
): Promise<CreditStatement | null> {
  const [sums] = await rowsOf<{ balance: number; held: number }>(
    dataSource,
    `SELECT balance, (
       SELECT COALESCE(-sum(amount), 0)::bigint FROM credit_entry AS taken
       WHERE account_id = $1 AND kind = 'hold'
         AND NOT EXISTS (SELECT FROM credit_entry WHERE job_id = taken.job_id AND kind = 'release')
     ) AS held
     FROM account WHERE id = $1`,
    [accountId],
  );
  if (!sums) return null;
  const entries = await rowsOf<CreditEntryView>(
    dataSource,
    `SELECT id, kind, amount, job_id AS "jobId", payment_id AS "paymentId", note, created_at AS "createdAt"
     FROM credit_entry WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
    [accountId, limit],
  );
  return { ...sums, entries };
}
