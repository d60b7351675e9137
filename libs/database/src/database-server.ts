import type { DataSource, EntityManager } from 'typeorm';
import { getPgPool } from './data-source.js';
import { queryRows } from './query-rows.js';

/** Closes the connection if the database does not respond in time. @throws Error */
export async function pingDatabase(dataSource: DataSource, timeoutMs: number): Promise<void> {
  await getPgPool(dataSource).query({ text: 'SELECT 1', query_timeout: timeoutMs } as { text: string });
}

/** The time of the transaction, as text with microseconds. */
export async function readDatabaseTimeText(dataSource: DataSource): Promise<string> {
  const [row] = await queryRows<{ now: string }>(dataSource, 'SELECT now()::text AS now');
  return row?.now ?? '';
}

/** Milliseconds since 1970. */
export async function readDatabaseClockMs(db: DataSource | EntityManager): Promise<number> {
  const [row] = await queryRows<{ ms: number }>(
    db,
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  return row?.ms ?? Number.NaN;
}

export async function readPostgresVersion(dataSource: DataSource): Promise<string> {
  const [row] = await queryRows<{ server_version: string }>(dataSource, 'SHOW server_version');
  return row?.server_version ?? 'unknown';
}
