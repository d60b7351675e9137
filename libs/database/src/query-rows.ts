import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient, QueryResultRow } from 'pg';
import { getPgPool, QUERY_TIMEOUT_MS } from './data-source.js';
import { LazyTransaction } from './lazy-transaction.js';
import { type BatchStatement, runStatementBatch } from './statement-batch.js';

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
  const transaction = LazyTransaction.find(db);
  if (transaction) return transaction.run({ ...statement, values }) as Promise<T[]>;
  const connection = db.queryRunner
    ? ((await db.queryRunner.connect()) as PoolClient)
    : getPgPool(db.dataSource);
  const { rows } = await connection.query<T>({ ...statement, values });
  return rows;
}

export interface DeferredStatementCallbacks<T> {
  /** Called with the rows before the callbacks of `afterCommit`. Must not throw. */
  onRows?: (rows: T[]) => void;
  /** @param requirement that did not hold @returns the error with which the transaction rolls back */
  createError?: (requirement: string) => Error;
}

/**
 * Runs a statement whose rows are not needed before the commit. In a transaction of `inTransaction` it is sent with the next
 * statement, or with the commit. What the transaction depends on must be required by the statement itself (`buildFailUnlessSql`).
 */
export async function deferPreparedStatementToNextRoundTrip<T extends QueryResultRow>(
  tx: EntityManager,
  statement: PreparedStatement,
  values: unknown[],
  { onRows = () => undefined, createError }: DeferredStatementCallbacks<T> = {},
): Promise<void> {
  const deferred = { ...statement, values, createError, onRows: onRows as (rows: QueryResultRow[]) => void };
  const transaction = LazyTransaction.find(tx);
  if (transaction) transaction.defer(deferred);
  else onRows(await queryPrepared<T>(tx, statement, values));
}

/**
 * SQL of a column that is true if the condition holds. Otherwise the statement fails, and with it its transaction
 * (`DeferredStatementCallbacks.createError`).
 */
export function buildFailUnlessSql(condition: string, requirement: string): string {
  return `require_condition(${condition}, '${requirement}')`;
}

/** Reads several results in one round trip, each as of its own time. */
export async function queryInOneRoundTrip(
  dataSource: DataSource,
  statements: readonly BatchStatement[],
): Promise<QueryResultRow[][]> {
  const client = await getPgPool(dataSource).connect();
  let failure: Error | undefined;
  const onError = (error: Error) => (failure = error);
  client.on('error', onError);
  try {
    return await runStatementBatch(client, statements);
  } finally {
    client.off('error', onError);
    client.release(failure);
  }
}

/**
 * For a statement that must be repeated soon on another connection if the server does not respond on this one.
 * @param timeoutMs milliseconds from sending the statement to its response, without the wait for a connection of the pool. More
 * than `QUERY_TIMEOUT_MS` counts as that.
 * @throws errors of the driver, not wrapped in `QueryFailedError`; after the timeout `Query read timeout`, and the connection is closed
 */
export async function queryRowsWithClientTimeout<T extends QueryResultRow>(
  dataSource: DataSource,
  timeoutMs: number,
  text: string,
  values: unknown[],
): Promise<T[]> {
  const statement = { text, values, query_timeout: Math.min(timeoutMs, QUERY_TIMEOUT_MS) };
  return (await getPgPool(dataSource).query<T>(statement)).rows;
}
