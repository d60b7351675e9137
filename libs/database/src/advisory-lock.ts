import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

const RETRY_MS = 100;
const LONG_WAIT_MS = 5_000;

/**
 * The lock ends with its connection, also when the program is killed. It is polled: a statement that waits for it would have
 * a snapshot, which an index that the holder creates concurrently waits for.
 * @param id a number that only this lock uses
 * @param onLongWait called once if the lock is not free after five seconds
 */
export async function withAdvisoryLock<T>(
  dataSource: DataSource,
  id: number,
  work: () => Promise<T>,
  onLongWait: () => void = () => undefined,
): Promise<T> {
  const connection = dataSource.createQueryRunner();
  const longWait = setTimeout(onLongWait, LONG_WAIT_MS);
  try {
    while (!(await tryLock(connection, id))) await pause(RETRY_MS);
    clearTimeout(longWait);
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [id]);
    }
  } finally {
    clearTimeout(longWait);
    await connection.release();
  }
}

async function tryLock(connection: QueryRunner, id: number): Promise<boolean> {
  const [row]: { locked: boolean }[] = await connection.query('SELECT pg_try_advisory_lock($1) AS locked', [
    id,
  ]);
  return row?.locked === true;
}

/** Held until the end of the transaction. */
export async function acquireTransactionAdvisoryLock(tx: EntityManager, id: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [id]);
}

/** An arbitrary number. One migration runs at a time across processes. */
export const MIGRATION_LOCK_ID = 7_305_812;
