import { AutoRecharge } from '@app/database';
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
  const row = await dataSource.getRepository(AutoRecharge).findOneBy({ accountId });
  return row && { below: row.below, credits: row.credits };
}

/** Null turns it off; a request that is open already stays open. The account must exist. */
export async function setRechargeSettings(
  dataSource: DataSource,
  accountId: string,
  settings: RechargeSettings | null,
): Promise<void> {
  const repository = dataSource.getRepository(AutoRecharge);
  if (settings === null) await repository.delete({ accountId });
  else await repository.upsert({ accountId, ...settings, changedAt: () => 'now()' }, ['accountId']);
}
