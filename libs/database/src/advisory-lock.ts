import type { DataSource, EntityManager } from 'typeorm';

/**
 * Runs work under a lock that all programs of a database share. It ends with its connection, so a program that is killed
 * leaves none behind.
 * @param id any number that is the lock's alone
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

/** Until the transaction ends. */
export async function takeAdvisoryLock(tx: EntityManager, id: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [id]);
}
