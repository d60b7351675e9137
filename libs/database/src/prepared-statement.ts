import type { PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { getPgPool } from './data-source.js';

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
  const connection = db.queryRunner ? await getConnection(db.queryRunner) : getPgPool(db.dataSource);
  const { rows } = await connection.query<T>({ ...statement, values });
  return rows;
}

async function getConnection(runner: { connect(): Promise<unknown> }): Promise<PoolClient> {
  return (await runner.connect()) as PoolClient;
}
