import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { holdDeliveries } from './held-deliveries.js';

/**
 * Makes restored deliveries fit to be sent that were pending when they were dumped, under their ids, whoever had them. Their
 * texts are composed anew: an address in one may be of a store that is gone. All deliveries are held: receivers may have
 * had theirs since the dump, and must not hear of a restore that is tried out. @returns how many are pending
 */
export async function resetRestoredDeliveries(tx: EntityManager): Promise<number> {
  const pending = await queryRows(
    tx,
    `UPDATE webhook_delivery SET lease_until = NULL, fence = fence + 1, sealed = NULL, key_id = NULL
     WHERE state = 'pending' RETURNING id`,
  );
  await holdDeliveries(tx);
  return pending.length;
}
