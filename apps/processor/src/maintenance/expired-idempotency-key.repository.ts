import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

const BATCH = 1_000;

/** @returns true when there may be more */
export async function purgeExpiredIdempotencyKeys(dataSource: DataSource): Promise<boolean> {
  const deleted = await queryRows(
    dataSource,
    `DELETE FROM idempotency_key WHERE (account_id, route, key) IN (
       SELECT account_id, route, key FROM idempotency_key WHERE expires_at <= now()
       ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING claim`,
  );
  return deleted.length === BATCH;
}
