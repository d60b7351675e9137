import type { PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { getPgPool } from './data-source.js';

/** A statement with a unique name: each connection parses it once and caches its plan. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Runs a frequent statement, inside the transaction of the manager if it has one. Errors are those of the driver,
 * not wrapped as `QueryFailedError`.
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

/** The connection that a transaction runs on. */
async function getConnection(runner: { connect(): Promise<unknown> }): Promise<PoolClient> {
  return (await runner.connect()) as PoolClient;
}
