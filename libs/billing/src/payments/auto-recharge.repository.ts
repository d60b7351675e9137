import { AutoRecharge } from '@app/database';
import type { DataSource } from 'typeorm';

export interface RechargeSettings {
  /** A job that finds fewer credits starts a recharge; at least 1, which means an empty balance. */
  below: number;
  /** Whole, at least 1. */
  credits: number;
}

/** @returns null if auto-recharge is off */
export async function findRechargeSettings(
  dataSource: DataSource,
  accountId: string,
): Promise<RechargeSettings | null> {
  const row = await dataSource.getRepository(AutoRecharge).findOneBy({ accountId });
  return row && { below: row.below, credits: row.credits };
}

/** Null turns it off; an open payment stays open. The account must exist. */
export async function setRechargeSettings(
  dataSource: DataSource,
  accountId: string,
  settings: RechargeSettings | null,
): Promise<void> {
  const repository = dataSource.getRepository(AutoRecharge);
  if (settings === null) await repository.delete({ accountId });
  else await repository.upsert({ accountId, ...settings, changedAt: () => 'now()' }, ['accountId']);
}
