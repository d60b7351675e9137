import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;

/**
 * Runs the work in one transaction; a deadlock or serialisation failure starts it over.
 * The work must therefore touch nothing but the database.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dataSource.transaction(work);
    } catch (error) {
      if (attempt === TRIES || !isRetried(error)) throw error;
    }
  }
}

function isRetried(error: unknown): boolean {
  return error instanceof Error && RETRIED.has(sqlState(error) ?? '');
}

/** The five-character SQLSTATE of a failed query. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
  return code ?? (error as { code?: string }).code;
}
