import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { LazyTransaction } from './lazy-transaction.js';

const RETRYABLE_SQL_STATES = new Set(['40001', '40P01']);
const MAX_TRIES = 4;

const AFTER_COMMIT_CALLBACKS = new WeakMap<EntityManager, (() => void)[]>();

/**
 * Repeats the work after a deadlock or serialization failure, so it must only change the database; use
 * `afterCommit` for anything else.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const callbacks: (() => void)[] = [];
    const transaction = new LazyTransaction(dataSource);
    const { manager } = transaction;
    AFTER_COMMIT_CALLBACKS.set(manager, callbacks);
    try {
      const result = await work(manager);
      await transaction.commit();
      for (const callback of callbacks) callback();
      return result;
    } catch (error) {
      await transaction.rollback();
      if (attempt === MAX_TRIES || !isRetryable(error)) throw error;
    } finally {
      await transaction.release();
    }
  }
}

/**
 * For effects that cannot be rolled back, such as log lines. A crash can skip the callback.
 * @param callback must not throw
 * @throws Error if the transaction was not opened by `inTransaction`
 */
export function afterCommit(tx: EntityManager, callback: () => void): void {
  const callbacks = AFTER_COMMIT_CALLBACKS.get(tx);
  if (callbacks === undefined) throw new Error('afterCommit requires a transaction of inTransaction.');
  callbacks.push(callback);
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && RETRYABLE_SQL_STATES.has(getSqlState(error) ?? '');
}

/** Five characters. */
export function getSqlState(error: unknown): string | undefined {
  const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
  return code ?? (error as { code?: string }).code;
}
