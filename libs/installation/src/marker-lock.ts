import type { DataSource } from 'typeorm';

/** Any number that is ours alone. */
const MARKER_LOCK = 7_305_815;

/**
 * Runs work that changes the marker, one at a time over all programs of this database: generations reach the store in
 * their order. The lock ends with its connection, so a program that is killed leaves none behind.
 */
export async function withMarkerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const connection = dataSource.createQueryRunner();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [MARKER_LOCK]);
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [MARKER_LOCK]);
    }
  } finally {
    await connection.release();
  }
}
