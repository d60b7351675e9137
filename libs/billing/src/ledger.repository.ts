import {
  CreditEntry,
  deferPreparedStatementToNextRoundTrip,
  queryPrepared,
  queryRows,
  buildFailUnlessSql,
} from '@app/database';
import { type DataSource, type EntityManager, LessThan } from 'typeorm';
import {
  HAS_OPEN_PAYMENT_DISPUTE_SQL,
  readCreditAndPaymentStatus,
} from './credit-and-payment-status.repository.js';

const SELECT_BALANCE = { name: 'account-balance', text: 'SELECT balance FROM account WHERE id = $1' };

/**
 * @param amount a negative one must be covered by the balance
 * @returns the new balance; null, without a change, if the account is unknown or its balance too low
 */
export async function grantOrDeductCredits(
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

const HOLD = `
    WITH earlier AS (SELECT FROM credit_entry WHERE job_id = $2 AND kind = 'hold'),
    account_row AS (
      UPDATE account SET balance = balance - $3 WHERE id = $1 AND balance >= $3 AND NOT EXISTS (SELECT FROM earlier)
      RETURNING id
    ), entry AS (
      INSERT INTO credit_entry (account_id, kind, amount, job_id) SELECT id, 'hold', -$3::bigint, $2 FROM account_row
    )`;
const IS_HELD_SQL = 'EXISTS (SELECT FROM earlier) OR EXISTS (SELECT FROM account_row)';

const HOLD_CREDITS = { name: 'hold-credits', text: `${HOLD} SELECT ${IS_HELD_SQL} AS held` };
const HOLD_CREDITS_OR_FAIL_COMMIT = {
  name: 'hold-credits-or-fail-commit',
  text: `${HOLD} SELECT ${buildFailUnlessSql(IS_HELD_SQL, 'credits')}`,
};

/**
 * A job with a hold, such as a restarted one, keeps it. Locks the account until the end of the transaction, so call it
 * last, and under the lock of the job.
 * @returns false, without a change, if the balance does not cover it
 */
export async function holdCredits(
  tx: EntityManager,
  accountId: string,
  jobId: string,
  amount: number,
): Promise<boolean> {
  const [row] = await queryPrepared<{ held: boolean }>(tx, HOLD_CREDITS, [accountId, jobId, amount]);
  return row?.held === true;
}

/** As `holdCredits`. The commit fails with the error of `createError` if the balance does not cover the amount. */
export async function holdCreditsOrFailCommit(
  tx: EntityManager,
  accountId: string,
  jobId: string,
  amount: number,
  createError: () => Error,
): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, HOLD_CREDITS_OR_FAIL_COMMIT, [accountId, jobId, amount], {
    createError,
  });
}

/** @returns the held credits, also those of a released hold; null without a hold */
export async function findCreditHoldAmount(
  db: DataSource | EntityManager,
  jobId: string,
): Promise<number | null> {
  const [entry] = await queryRows<{ amount: number }>(
    db,
    `SELECT amount FROM credit_entry WHERE job_id = $1 AND kind = 'hold'`,
    [jobId],
  );
  return entry ? -entry.amount : null;
}

/**
 * Entries and balance change in one statement, so that the balance equals the sum of the entries at every commit. A
 * constraint rejects a negative balance.
 */
const SETTLE_CREDIT_HOLD = {
  name: 'settle-credit-hold',
  text: `
    WITH earlier AS (SELECT -amount AS held FROM credit_entry WHERE job_id = $2 AND kind = 'hold'),
    due AS (
      SELECT COALESCE((SELECT held FROM earlier), $3::bigint) AS held, EXISTS (SELECT FROM earlier) AS is_held
      WHERE $3 > 0 OR EXISTS (SELECT FROM earlier)
    ), charged AS (SELECT held, LEAST(held, $3::bigint) AS charge, is_held FROM due),
    account_row AS (
      UPDATE account SET balance = balance + CASE WHEN is_held THEN held ELSE 0 END - charge FROM charged
      WHERE id = $1 AND (is_held OR balance >= charge)
      RETURNING id
    )
    INSERT INTO credit_entry (account_id, kind, amount, job_id)
    SELECT account_row.id, entry.kind, entry.amount, $2
    FROM account_row CROSS JOIN charged CROSS JOIN LATERAL (VALUES
      (1, 'hold', CASE WHEN NOT is_held THEN -held END),
      (2, 'release', held),
      (3, 'capture', CASE WHEN charge > 0 THEN -charge END)) AS entry (position, kind, amount)
    WHERE entry.amount IS NOT NULL
    ORDER BY entry.position`,
};

/**
 * Releases the hold and charges the processed audio, at most the hold, so the balance cannot become negative.
 * A job without a hold gets one now, or costs nothing if the balance does not cover it. Locks the account until the end
 * of the transaction, so call it last, and under the lock of the job.
 */
export async function settleCreditHold(
  tx: EntityManager,
  accountId: string,
  jobId: string,
  charge: number,
): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, SETTLE_CREDIT_HOLD, [accountId, jobId, charge]);
}

export async function readCreditBalance(tx: EntityManager, accountId: string): Promise<number> {
  const [account] = await queryPrepared<{ balance: number }>(tx, SELECT_BALANCE, [accountId]);
  return account?.balance ?? 0;
}

/** The `FROM` and `WHERE` clauses of the open holds of all accounts, named `hold`; further conditions may follow. */
export const FROM_OPEN_CREDIT_HOLDS_SQL = `FROM credit_entry AS hold
  WHERE kind = 'hold' AND NOT EXISTS (SELECT FROM credit_entry WHERE job_id = hold.job_id AND kind = 'release')`;

/** SQL of the credits of these holds, which are not part of the balance. */
export const SUM_OF_OPEN_CREDIT_HOLDS_SQL = 'COALESCE(-sum(hold.amount), 0)::bigint';

export type StoredCreditEntry = Omit<CreditEntry, 'account' | 'accountId'>;

export interface CreditsWithNewestEntries {
  /** Available credits. */
  balance: number;
  /** Credits of open jobs; not part of the balance. */
  held: number;
  /** Credits of refunded or disputed payments that were spent already. */
  owed: number;
  /** Newest first. */
  entries: StoredCreditEntry[];
}

/** @returns null if the account is unknown */
export async function readCreditsWithNewestEntries(
  dataSource: DataSource,
  accountId: string,
  limit: number,
): Promise<CreditsWithNewestEntries | null> {
  const summary = await readCreditAndPaymentStatus(dataSource, accountId);
  if (!summary) return null;
  const { balance, held, owed } = summary;
  const entries = await dataSource.getRepository(CreditEntry).find({
    where: { accountId },
    order: { id: 'DESC' },
    take: limit,
  });
  return { balance, held, owed, entries };
}

export interface LedgerPage {
  /** Newest first. */
  entries: StoredCreditEntry[];
  /** Id for `before` of the next page; null on the last one. */
  nextBefore: number | null;
}

/** @param before id of an entry: only older ones */
export async function readLedgerPage(
  dataSource: DataSource,
  accountId: string,
  { limit, before = null }: { limit: number; before?: number | null },
): Promise<LedgerPage> {
  const found = await dataSource.getRepository(CreditEntry).find({
    where: { accountId, ...(before !== null && { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  const entries = found.slice(0, limit);
  return { entries, nextBefore: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

export interface AccountCreditState {
  id: string;
  balance: number;
  /** Credits that the next ones pay. */
  owed: number;
  /** Whether a dispute of a payment is open. */
  isDisputed: boolean;
  /** Null if auto-recharge is off. */
  rechargeBelow: number | null;
}

const ACCOUNT_CREDIT = {
  name: 'account-credit',
  text: `
    SELECT id, balance, owed_credits AS owed, below AS "rechargeBelow", ${HAS_OPEN_PAYMENT_DISPUTE_SQL} AS "isDisputed"
    FROM account LEFT JOIN auto_recharge ON account_id = id WHERE id = ANY($1)`,
};

/** In the order of the ids; 0 for a deleted account. */
export async function loadAccountCreditStates(
  db: EntityManager,
  ids: readonly string[],
): Promise<AccountCreditState[]> {
  const rows = await queryPrepared<AccountCreditState>(db, ACCOUNT_CREDIT, [ids]);
  const byId = new Map(rows.map((credit) => [credit.id, credit]));
  return ids.map((id) => byId.get(id) ?? { id, balance: 0, owed: 0, isDisputed: false, rechargeBelow: null });
}
