import type { PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { getPgPool } from './data-source.js';

/** A statement under a name that no other has: each connection parses it once and soon keeps its plan. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * The rows of a statement that runs for many requests, inside the manager's transaction where it has one.
 * Errors are those of the driver, not wrapped as `QueryFailedError`.
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
