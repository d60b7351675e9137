import type { DataSource, EntityManager } from 'typeorm';

/**
 * The lock ends with its connection, also when the program is killed. @param id a number that only this lock
 * uses
 */
export async function withAdvisoryLock<T>(
  dataSource: DataSource,
  id: number,
  work: () => Promise<T>,
): Promise<T> {
  const connection = dataSource.createQueryRunner();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [id]);
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [id]);
    }
  } finally {
    await connection.release();
  }
}

/** Held until the end of the transaction. */
export async function acquireTransactionAdvisoryLock(tx: EntityManager, id: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [id]);
}

/** An arbitrary number. One migration runs at a time across processes. */
export const MIGRATION_LOCK_ID = 7_305_812;
