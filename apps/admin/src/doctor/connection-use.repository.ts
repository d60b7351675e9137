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
