import type { PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { poolOf } from './data-source.js';

/** A statement under a name that no other has: each connection parses it once and soon keeps its plan. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * The rows of a statement that runs for many requests, inside the manager's transaction where it has one.
 * Errors are those of the driver, not wrapped as `QueryFailedError`.
 */
export async function preparedRows<T extends QueryResultRow>(
  db: EntityManager,
  statement: PreparedStatement,
  values: unknown[],
): Promise<T[]> {
  const connection = db.queryRunner ? await connectionOf(db.queryRunner) : poolOf(db.dataSource);
  const { rows } = await connection.query<T>({ ...statement, values });
  return rows;
}

/** The connection that a transaction runs on. */
async function connectionOf(runner: { connect(): Promise<unknown> }): Promise<PoolClient> {
  return (await runner.connect()) as PoolClient;
}
