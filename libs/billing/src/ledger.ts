import { queryPrepared, queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';

/**
 * Every change of a balance: the entry and the balance move in one statement, so that
 * balance = sum of entries holds at every commit. The database refuses a balance below zero.
 */
const INSERT_ENTRY = `
  WITH entry AS (
    INSERT INTO credit_entry (account_id, kind, amount, job_id, note) VALUES ($1, $2, $3, $4, $5)
  )
  UPDATE account SET balance = balance + $3 WHERE id = $1 RETURNING balance`;

const SELECT_BALANCE = { name: 'account-balance', text: 'SELECT balance FROM account WHERE id = $1' };

/**
 * Adds to a balance, or takes from it: a correction, negative, that the balance must cover.
 * @returns the new balance; null, and nothing is changed, when there is no such account or its balance is too low
 */
export async function grant(
  tx: EntityManager,
  accountId: string,
  amount: number,
  note: string,
): Promise<number | null> {
  const [account] = await queryRows<{ balance: number }>(
    tx,
    `WITH account_row AS (
       UPDATE account SET balance = balance + $2 WHERE id = $1 AND balance + $2 >= 0 RETURNING id, balance
     ), entry AS (
       INSERT INTO credit_entry (account_id, kind, amount, note)
       SELECT id, 'grant', $2::bigint, $3 FROM account_row
     )
     SELECT balance FROM account_row`,
    [accountId, amount, note],
  );
  return account?.balance ?? null;
}

/** Sets the price of a job aside. @returns false, and nothing is changed, when the balance does not cover it. */
export async function hold(
  tx: EntityManager,
  accountId: string,
  jobId: string,
  amount: number,
): Promise<boolean> {
  const held = await queryRows(
    tx,
    `WITH account_row AS (
       UPDATE account SET balance = balance - $3 WHERE id = $1 AND balance >= $3 RETURNING id
     )
     INSERT INTO credit_entry (account_id, kind, amount, job_id)
     SELECT id, 'hold', -$3::bigint, $2 FROM account_row RETURNING id`,
    [accountId, jobId, amount],
  );
  return held.length === 1;
}

/** Whether the price of a job was set aside, ever. */
export async function hasHold(tx: EntityManager, jobId: string): Promise<boolean> {
  const held = await queryRows(tx, `SELECT id FROM credit_entry WHERE job_id = $1 AND kind = 'hold'`, [
    jobId,
  ]);
  return held.length === 1;
}

/**
 * Ends a job's hold: gives it back and charges what was processed. A job that ends before its price was set aside has it
 * set aside now, or costs nothing when the balance does not cover it.
 * The charge never exceeds the hold, so the balance cannot go negative here.
 */
export async function settleHold(
  tx: EntityManager,
  accountId: string,
  jobId: string,
  charge: number,
): Promise<void> {
  const [entry] = await queryRows<{ amount: number }>(
    tx,
    `SELECT amount FROM credit_entry WHERE job_id = $1 AND kind = 'hold'`,
    [jobId],
  );
  if (!entry && (charge === 0 || !(await hold(tx, accountId, jobId, charge)))) return;
  const held = entry ? -entry.amount : charge;
  await tx.query(INSERT_ENTRY, [accountId, 'release', held, jobId, null]);
  const captured = Math.min(charge, held);
  if (captured > 0) await tx.query(INSERT_ENTRY, [accountId, 'capture', -captured, jobId, null]);
}

/** Credits that can be spent now. */
export async function getBalance(tx: EntityManager, accountId: string): Promise<number> {
  const [account] = await queryPrepared<{ balance: number }>(tx, SELECT_BALANCE, [accountId]);
  return account?.balance ?? 0;
}
