import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { lockEnabledEndpoints } from '../endpoints/webhook-endpoint.repository.js';
import { WEBHOOK_DUE_CHANNEL } from './webhook-delivery.repository.js';

export interface FailedDeliveryFilter {
  /** Only those that failed then or later. */
  since: Date | null;
  /** Null for deliveries to any URL. */
  endpointId: string | null;
  /** Those that failed first; null for all. */
  limit: number | null;
}

/**
 * Makes an ended delivery due with all its attempts, under its id. The body is built again, because its download URL may have
 * expired.
 * @param tx holds the endpoints of the account afterwards
 * @returns false if there is no such delivery, it has not ended, or its endpoint is disabled or deleted
 */
export async function replayDelivery(
  tx: EntityManager,
  accountId: string,
  deliveryId: string,
): Promise<boolean> {
  await lockEnabledEndpoints(tx, accountId);
  const replayed = await queryRows(tx, replayStatement(`id = $2 AND state <> 'pending'`), [
    accountId,
    deliveryId,
  ]);
  return replayed.length === 1;
}

/** What fails again after a replay is the last, so that replays of a part get to all. */
export const SELECT_FAILED_DELIVERIES_SQL = `
  SELECT id FROM webhook_delivery failed
  WHERE state = 'failed' AND event <> 'test' AND account_id = $1
    AND ($2::timestamptz IS NULL OR finished_at >= $2) AND ($3::uuid IS NULL OR endpoint_id = $3)
    AND ${hasReachableEndpoint('failed')}
  ORDER BY finished_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`;

/** @param tx holds the endpoints of the account afterwards @returns the number of replayed deliveries */
export async function replayFailedDeliveries(
  tx: EntityManager,
  accountId: string,
  { since, endpointId, limit }: FailedDeliveryFilter,
): Promise<number> {
  await lockEnabledEndpoints(tx, accountId);
  // An array is selected once; Postgres may select a set again for each row, and then exceeds the limit.
  const failed = `id = ANY (ARRAY (${SELECT_FAILED_DELIVERIES_SQL}))`;
  return (await queryRows(tx, replayStatement(failed), [accountId, since, endpointId, limit])).length;
}

/** A changed URL of an endpoint applies. @param condition on the row, in addition to the account `$1` */
function replayStatement(condition: string): string {
  return `
    WITH replayed AS (
      UPDATE webhook_delivery
      SET state = 'pending', attempts_before = attempts, key_id = NULL, sealed = NULL,
        next_attempt_at = now(), fence = fence + 1, finished_at = NULL,
        url = COALESCE((SELECT e.url FROM webhook_endpoint e WHERE e.id = endpoint_id), url)
      WHERE account_id = $1 AND ${condition} AND ${hasReachableEndpoint('webhook_delivery')}
      RETURNING id
    )
    SELECT id, pg_notify('${WEBHOOK_DUE_CHANNEL}', '') FROM replayed`;
}

function hasReachableEndpoint(delivery: string): string {
  return `NOT EXISTS (
    SELECT FROM webhook_endpoint e WHERE e.id = ${delivery}.endpoint_id AND (NOT e.enabled OR e.deleted_at IS NOT NULL))`;
}
