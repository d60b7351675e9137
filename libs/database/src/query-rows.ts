import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient, QueryResultRow } from 'pg';
import { getPgPool } from './data-source.js';

/**
 * For any statement: the driver returns rows for SELECT and INSERT, but `[rows, count]` for UPDATE and
 * DELETE.
 */
export async function queryRows<T>(
  db: DataSource | EntityManager,
  sql: string,
  params: unknown[] = [],
): Promise<T[]> {
  const result: unknown = await db.query(sql, params);
  if (!Array.isArray(result)) return [];
  const isPair = result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number';
  return (isPair ? result[0] : result) as T[];
}

/** @param name as written in SQL */
export async function tableExists(
  db: Pick<DataSource | QueryRunner, 'query'>,
  name: string,
): Promise<boolean> {
  const [found] = (await db.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])) as {
    exists: boolean;
  }[];
  return found?.exists === true;
}

/** With a unique name, so that each connection parses it once and caches its plan. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Runs inside the transaction of the manager, if any. Errors are those of the driver, not wrapped in
 * `QueryFailedError`.
 */
export async function queryPrepared<T extends QueryResultRow>(
  db: EntityManager,
  statement: PreparedStatement,
  values: unknown[],
): Promise<T[]> {
  const connection = db.queryRunner
    ? ((await db.queryRunner.connect()) as PoolClient)
    : getPgPool(db.dataSource);
  const { rows } = await connection.query<T>({ ...statement, values });
  return rows;
}
