import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { queryPrepared, type PreparedStatement } from '../prepared-statement.js';
import { ACCOUNT_SCOPE_CTE, assertScopedTables } from './account-scope-cte.js';

declare const scoped: unique symbol;
/** A statement that sees only the rows of one account; created by `buildAccountStatement`. */
export type AccountStatement = PreparedStatement & { [scoped]: true };

/**
 * Builds a SELECT for `queryAccountRows`. Its `$1` is the account id.
 * @param text starts with SELECT and reads only tables of `ACCOUNT_SCOPE_CTE`
 * @throws TypeError if it reads another table or bypasses the account scope
 */
export function buildAccountStatement(name: string, text: string): AccountStatement {
  assertScopedTables(name, text);
  return { name, text: `${ACCOUNT_SCOPE_CTE} ${text}` } as AccountStatement;
}

/**
 * Runs a statement in which every table contains only rows of this account, so that a missing condition does not
 * show rows of others.
 * @param values of `$2` and the following parameters
 */
export async function queryAccountRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: AccountStatement,
  values: unknown[] = [],
): Promise<T[]> {
  return queryPrepared<T>(dataSource.manager, statement, [accountId, ...values]);
}
