import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { queryPrepared, type PreparedStatement } from '../prepared-statement.js';
import { ACCOUNT_SCOPE_CTE, assertScopedTables } from './account-scope-cte.js';

declare const scoped: unique symbol;
/** Created by `buildAccountScopedQuery`. */
export type AccountScopedQuery = PreparedStatement & { [scoped]: true };

/**
 * @param text a SELECT from tables of `ACCOUNT_SCOPE_CTE`; `$1` is the account id
 * @throws TypeError if it reads another table or bypasses the account scope
 */
export function buildAccountScopedQuery(name: string, text: string): AccountScopedQuery {
  assertScopedTables(name, text);
  return { name, text: `${ACCOUNT_SCOPE_CTE} ${text}` } as AccountScopedQuery;
}

/**
 * Tables contain only rows of this account, so a missing condition cannot show rows of others.
 * @param values of `$2` and the following parameters
 */
export async function queryAccountRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: AccountScopedQuery,
  values: unknown[] = [],
): Promise<T[]> {
  return queryPrepared<T>(dataSource.manager, statement, [accountId, ...values]);
}
