import { buildAccountScopedQuery, queryAccountRows, Account } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { CREDITS_HELD_BY_OPEN_JOBS_SQL } from './credit-and-payment-status.repository.js';
import { grantOrDeductCredits } from './ledger.repository.js';

/** Grants the opening balance. @returns the id */
export async function createAccount(tx: EntityManager, name: string, credits: number): Promise<string> {
  const id = uuidv7();
  await tx.insert(Account, { id, name });
  if (credits > 0) await grantOrDeductCredits(tx, id, credits, 'opening balance');
  return id;
}

/** Credits of an account, and usage of one of its keys since midnight. */
export interface AccountCreditsAndUsageTodayOfKey {
  name: string;
  keyName: string;
  /** Available credits. */
  balance: number;
  /** Credits of open jobs; not part of the balance. */
  held: number;
  /** Midnight UTC by the clock of the database, `YYYY-MM-DDTHH:MM:SSZ`. */
  since: string;
  /** Jobs that the key has created since then. */
  created: number;
  /** Jobs of the key that have ended since then, whenever they were created. */
  completed: number;
  failed: number;
  /** Seconds of audio of the completed jobs. */
  audioSeconds: number;
  /** Credits charged for the ended jobs. */
  charged: number;
}

/**
 * A charge is written in the transaction that ends its job, so the charges of today belong to the jobs that
 * ended today. The indexes `job_account_status`, `job_key_created` and `job_key_finished` lead to exactly the
 * counted rows.
 */
const ACCOUNT_USAGE = buildAccountScopedQuery(
  'account-figures',
  `SELECT account.name, api_key.name AS "keyName", account.balance, ${CREDITS_HELD_BY_OPEN_JOBS_SQL} AS held,
     to_char(day.start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
     new_jobs.created, ended_jobs.completed, ended_jobs.failed,
     ended_jobs.seconds AS "audioSeconds", ended_jobs.charged
   FROM account
   JOIN api_key ON api_key.account_id = account.id AND api_key.id = $2
   CROSS JOIN LATERAL (SELECT date_trunc('day', now(), 'UTC') AS start) day
   CROSS JOIN LATERAL (
     SELECT count(*) AS created FROM job
     WHERE job.account_id = $1 AND job.api_key_id = $2 AND job.created_at >= day.start
   ) new_jobs
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE job.status = 'completed') AS completed,
       count(*) FILTER (WHERE job.status = 'failed') AS failed,
       COALESCE(round(sum(job.duration::numeric) FILTER (WHERE job.status = 'completed'), 3), 0)::float8 AS seconds,
       COALESCE(-sum(entry.amount), 0)::bigint AS charged
     FROM job LEFT JOIN credit_entry entry ON entry.job_id = job.id AND entry.kind = 'capture'
     WHERE job.account_id = $1 AND job.api_key_id = $2 AND job.finished_at >= day.start
   ) ended_jobs
   WHERE account.id = $1`,
);

/** @returns undefined if the account is unknown or the key belongs to another account */
export async function readAccountCreditsAndUsageTodayOfKey(
  dataSource: DataSource,
  accountId: string,
  keyId: string,
): Promise<AccountCreditsAndUsageTodayOfKey | undefined> {
  const [overview] = await queryAccountRows<AccountCreditsAndUsageTodayOfKey>(
    dataSource,
    accountId,
    ACCOUNT_USAGE,
    [keyId],
  );
  return overview;
}
