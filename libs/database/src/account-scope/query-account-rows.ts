import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { queryPrepared, type PreparedStatement } from '../prepared-statement.js';
import { ACCOUNT_SCOPE_CTE, assertScopedTables } from './account-scope-cte.js';

declare const scoped: unique symbol;
/** A statement to which the tables of jobs hold the rows of one account; made by `buildAccountStatement` only. */
export type AccountStatement = PreparedStatement & { [scoped]: true };

/**
 * A reading statement for `queryAccountRows`. Its `$1` is the account, as a uuid.
 * @param text begins with SELECT, and reads tables of `ACCOUNT_SCOPE_CTE` only
 * @throws TypeError when it reads anything else, or names a table in a way that leads past the account
 */
export function buildAccountStatement(name: string, text: string): AccountStatement {
  assertScopedTables(name, text);
  return { name, text: `${ACCOUNT_SCOPE_CTE} ${text}` } as AccountStatement;
}

/**
 * The rows of a statement in which every table holds the rows of this account only: a condition that was forgotten
 * shows nobody else's.
 * @param values of `$2` and what follows
 */
export async function queryAccountRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: AccountStatement,
  values: unknown[] = [],
): Promise<T[]> {
  return queryPrepared<T>(dataSource.manager, statement, [accountId, ...values]);
}
