import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { preparedRows, type PreparedStatement } from '../prepared.js';
import { OWN_ROWS, refuseOtherTables } from './own-rows.js';

declare const scoped: unique symbol;
/** A statement to which the tables of jobs hold the rows of one account; made by `tenantStatement` only. */
export type TenantStatement = PreparedStatement & { [scoped]: true };

/**
 * A reading statement for `tenantRows`. Its `$1` is the account, as a uuid.
 * @param text begins with SELECT, and reads tables of `OWN_ROWS` only
 * @throws TypeError when it reads anything else, or names a table in a way that leads past the account
 */
export function tenantStatement(name: string, text: string): TenantStatement {
  refuseOtherTables(name, text);
  return { name, text: `${OWN_ROWS} ${text}` } as TenantStatement;
}

/**
 * The rows of a statement in which every table holds the rows of this account only: a condition that was forgotten
 * shows nobody else's.
 * @param values of `$2` and what follows
 */
export async function tenantRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: TenantStatement,
  values: unknown[] = [],
): Promise<T[]> {
  return preparedRows<T>(dataSource.manager, statement, [accountId, ...values]);
}
