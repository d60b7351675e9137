import { SUM_OF_OPEN_CREDIT_HOLDS_SQL, FROM_OPEN_CREDIT_HOLDS_SQL } from '@app/billing';
import { queryRows } from '@app/database';
import { buildIsoTimestampSql } from '@app/jobs';
import type { DataSource } from 'typeorm';

export interface AccountRow {
  account_id: string;
  name: string;
  /** Keys that are not revoked. */
  keys: number;
  balance: number;
  /** Credits held for open jobs; not part of the balance. */
  held: number;
  suspended_at: string | null;
  /** Chosen by the account; null for the operator's setting alone. */
  transcript_retention_days: number | null;
  requires_two_factors: boolean;
  created_at: string;
}

export function listAccounts(dataSource: DataSource): Promise<AccountRow[]> {
  return queryRows<AccountRow>(
    dataSource,
    `SELECT id AS account_id, name, COALESCE(valid.keys, 0)::int AS keys, balance, COALESCE(open.held, 0) AS held,
       ${buildIsoTimestampSql('suspended_at')} AS suspended_at, transcript_retention_days,
       requires_two_factors, ${buildIsoTimestampSql('created_at')} AS created_at
     FROM account
     LEFT JOIN (SELECT account_id, count(*) AS keys FROM api_key WHERE revoked_at IS NULL GROUP BY account_id) valid
       ON valid.account_id = account.id
     LEFT JOIN (SELECT account_id, ${SUM_OF_OPEN_CREDIT_HOLDS_SQL} AS held ${FROM_OPEN_CREDIT_HOLDS_SQL} GROUP BY account_id) open
       ON open.account_id = account.id
     ORDER BY account.created_at, id`,
  );
}
