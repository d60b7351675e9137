import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

export interface ConnectionLimitAndUse {
  /** Connections that the server permits to this user. */
  permitted: number;
  /** Connections of all programs to all databases of the server. */
  open: number;
}

export async function readConnectionLimitAndUse(dataSource: DataSource): Promise<ConnectionLimitAndUse> {
  const [use] = await queryRows<ConnectionLimitAndUse>(
    dataSource,
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - COALESCE(current_setting('reserved_connections', true), '0')::int AS permitted,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open`,
  );
  return use ?? { permitted: 0, open: 0 };
}

export interface LongestOpenTransaction {
  pid: number;
  program: string;
  seconds: number;
}

/** The oldest open transaction of a program of this database. @returns undefined if none is open */
export async function findLongestOpenTransaction(
  dataSource: DataSource,
): Promise<LongestOpenTransaction | undefined> {
  const [oldest] = await queryRows<LongestOpenTransaction>(
    dataSource,
    `SELECT pid, application_name AS program, extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
  );
  return oldest;
}
