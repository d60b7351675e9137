import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import type { PreparedStatement } from '../prepared.js';
import { TenantDataSource } from './tenant-data-source.js';

declare const scoped: unique symbol;
/** A statement that names its account before it reads anything; made by `tenantStatement` only. */
export type TenantStatement = PreparedStatement & { [scoped]: true };

/**
 * A reading statement for `tenantRows`. Its `$1` is the account, as a uuid.
 *
 * The row policies compare with a setting that lasts for this one statement. It must be there before a row is looked
 * at, hence LATERAL with a condition on it and OFFSET 0: the inner query cannot be run before the outer row exists.
 */
export function tenantStatement(name: string, text: string): TenantStatement {
  const wrapped = `SELECT mine.* FROM (SELECT set_config('zephyr.account', $1::uuid::text, true) AS account OFFSET 0) caller,
    LATERAL (SELECT * FROM (${text}) found WHERE caller.account IS NOT NULL OFFSET 0) mine`;
  return { name, text: wrapped } as TenantStatement;
}

/**
 * The rows of a statement, under a role for which the database itself hides the rows of all other accounts: a
 * condition that was forgotten in the statement shows nobody else's. One round trip, outside of any transaction.
 * @param values of `$2` and what follows
 */
export async function tenantRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: TenantStatement,
  values: unknown[] = [],
): Promise<T[]> {
  const { rows } = await tenantPoolOf(dataSource).query<T>({ ...statement, values: [accountId, ...values] });
  return rows;
}

/** @throws TypeError for a data source that was not made by `createDataSource`. */
export function tenantPoolOf(dataSource: DataSource): TenantDataSource['tenantConnections'] {
  if (!(dataSource instanceof TenantDataSource))
    throw new TypeError('Make the data source with createDataSource.');
  return dataSource.tenantConnections;
}
