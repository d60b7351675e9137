import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** When an account is topped up by itself, and by how much. */
export interface RechargeSettings {
  /** A create that finds less than so many credits asks for more; at least 1, which is an empty balance. */
  below: number;
  /** Whole credits, at least 1. */
  credits: number;
}

/** @returns null while it is off. */
export async function getRechargeSettings(
  dataSource: DataSource,
  accountId: string,
): Promise<RechargeSettings | null> {
  const [settings] = await queryRows<RechargeSettings>(
    dataSource,
    'SELECT below, credits FROM auto_recharge WHERE account_id = $1',
    [accountId],
  );
  return settings ?? null;
}

/** Null turns it off; a request that is open already stays open. The account must exist. */
export async function setRechargeSettings(
  dataSource: DataSource,
  accountId: string,
  settings: RechargeSettings | null,
): Promise<void> {
  if (settings === null) {
    await dataSource.query('DELETE FROM auto_recharge WHERE account_id = $1', [accountId]);
    return;
  }
  await dataSource.query(
    `INSERT INTO auto_recharge (account_id, below, credits) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET below = $2, credits = $3, changed_at = now()`,
    [accountId, settings.below, settings.credits],
  );
}
