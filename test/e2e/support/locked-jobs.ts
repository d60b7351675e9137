import pg from 'pg';
import type { RunningService } from './running-service.js';
import { until } from './until.js';

/** Runs `action` while every statement that adds or changes jobs has to wait. Reads do not: checks before a create read jobs. */
export async function whileJobsAreLocked<T>(
  service: Pick<RunningService, 'databaseUrl'>,
  action: () => Promise<T>,
): Promise<T> {
  const database = new pg.Client(await service.databaseUrl());
  await database.connect();
  try {
    await database.query('BEGIN; LOCK TABLE job IN SHARE ROW EXCLUSIVE MODE');
    return await action();
  } finally {
    await database.end();
  }
}

/** Resolves when a statement waits in `whileJobsAreLocked`. */
export async function waitUntilJobLockBlocks(service: Pick<RunningService, 'query'>): Promise<void> {
  const waiting = `SELECT FROM pg_locks WHERE relation = 'job'::regclass AND NOT granted`;
  await until('a statement waits for the lock', async () => (await service.query(waiting)).length > 0);
}
