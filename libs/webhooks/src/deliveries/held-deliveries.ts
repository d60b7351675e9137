import { queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { DUE_CHANNEL } from './due-channel.js';

/** Condition of SQL: deliveries may be sent. */
export const DELIVERIES_NOT_HELD = 'NOT EXISTS (SELECT FROM installation WHERE webhooks_held_at IS NOT NULL)';

/** From now on no process sends any; those under way come to their end. Deliveries are owed as ever. */
export async function holdDeliveries(db: DataSource | EntityManager): Promise<void> {
  await db.query('UPDATE installation SET webhooks_held_at = now() WHERE webhooks_held_at IS NULL');
}

/** @returns false when they were not held */
export async function releaseDeliveries(db: DataSource): Promise<boolean> {
  const released = await queryRows(
    db,
    `WITH released AS (
       UPDATE installation SET webhooks_held_at = NULL WHERE webhooks_held_at IS NOT NULL RETURNING id
     )
     SELECT pg_notify('${DUE_CHANNEL}', '') FROM released`,
  );
  return released.length > 0;
}

/** @returns null when they are sent */
export async function deliveriesHeldSince(db: DataSource): Promise<Date | null> {
  const [row] = await queryRows<{ since: Date | null }>(
    db,
    'SELECT webhooks_held_at AS since FROM installation',
  );
  return row?.since ?? null;
}

export async function countPendingDeliveries(db: DataSource): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    `SELECT count(*)::int AS count FROM webhook_delivery WHERE state = 'pending'`,
  );
  return row?.count ?? 0;
}
