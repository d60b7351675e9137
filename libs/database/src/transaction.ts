import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;

/** What each open transaction is to be followed by. */
const FOLLOWERS = new WeakMap<EntityManager, (() => void)[]>();

/**
 * Runs the work in one transaction; a deadlock or serialisation failure starts it over.
 * The work must therefore touch nothing but the database; for the rest there is `afterCommit`.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const followers: (() => void)[] = [];
    try {
      const result = await dataSource.transaction((tx) => {
        FOLLOWERS.set(tx, followers);
        return work(tx);
      });
      for (const follow of followers) follow();
      return result;
    } catch (error) {
      if (attempt === TRIES || !isRetried(error)) throw error;
    }
  }
}

/**
 * Calls back once the transaction has committed, and never when it has not: for what cannot be rolled back, such as a
 * log line. Nothing is called where the process ends in between, so only the database may tell what happened for good.
 * @param callback must not throw
 * @throws Error when the transaction was not opened by `inTransaction`
 */
export function afterCommit(tx: EntityManager, callback: () => void): void {
  const followers = FOLLOWERS.get(tx);
  if (followers === undefined) throw new Error('afterCommit is for transactions of inTransaction.');
  followers.push(callback);
}

function isRetried(error: unknown): boolean {
  return error instanceof Error && RETRIED.has(sqlState(error) ?? '');
}

/** The five-character SQLSTATE of a failed query. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
  return code ?? (error as { code?: string }).code;
}
