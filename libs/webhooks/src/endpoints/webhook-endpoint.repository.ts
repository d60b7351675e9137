import {
  type JobEndEventType,
  loadAccountMemberLookup,
  type MemberIdentity,
  queryRows,
  WebhookEndpoint,
} from '@app/database';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';

export interface WebhookEndpointView {
  id: string;
  accountId: string;
  url: string;
  description: string;
  events: JobEndEventType[];
  enabled: boolean;
  /** Null for an endpoint that an operator made. */
  createdBy: MemberIdentity | null;
  createdAt: Date;
}

/** Oldest first, without deleted ones. */
export async function listEndpoints(
  dataSource: DataSource,
  accountId: string,
): Promise<WebhookEndpointView[]> {
  const endpoints = await dataSource.manager.find(WebhookEndpoint, {
    where: { accountId, deletedAt: IsNull() },
    order: { id: 'ASC' },
  });
  const referTo = await loadAccountMemberLookup(dataSource, accountId);
  return endpoints.map(({ createdBy, id, url, description, events, enabled, createdAt }) => ({
    ...{ id, accountId, url, description, events, enabled, createdAt },
    createdBy: referTo(createdBy),
  }));
}

/**
 * Waits for jobs that end at this moment, so that their deliveries to the endpoint are known afterwards.
 * @returns null if the account has no such endpoint
 */
export async function findAndLockEndpoint(
  tx: EntityManager,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.findOne(WebhookEndpoint, {
    where: { id, accountId, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * Until the end of the transaction, no endpoint of the account is disabled, deleted or gets another URL. Jobs that end take the
 * same locks, in the same order, and the account last.
 */
export async function lockEnabledEndpoints(tx: EntityManager, accountId: string): Promise<void> {
  await tx.query(
    `SELECT FROM webhook_endpoint WHERE account_id = $1 AND enabled AND deleted_at IS NULL ORDER BY id FOR SHARE`,
    [accountId],
  );
}

/**
 * Deletes the endpoints of an account that ends. Call it before the account is locked, as jobs that end do. A processor deletes
 * their deliveries with the jobs, and then the rows.
 */
export async function deleteEndpointsOfEndingAccount(tx: EntityManager, accountId: string): Promise<void> {
  await tx.query(
    `WITH locked AS (
       SELECT id FROM webhook_endpoint WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE)
     UPDATE webhook_endpoint SET deleted_at = now(), enabled = false WHERE id IN (SELECT id FROM locked)`,
    [accountId],
  );
}

/** The callback URL of a job is promised a webhook of its own, whatever happens to an endpoint with the same URL. */
const IS_NO_CALLBACK = `d.url IS DISTINCT FROM (SELECT options->>'callback_url' FROM job WHERE job.id = d.job_id)`;

/** A running attempt is not recorded. @returns the number of cancelled deliveries */
export async function cancelPendingDeliveries(tx: EntityManager, endpointId: string): Promise<number> {
  const cancelled = await queryRows(
    tx,
    `UPDATE webhook_delivery d
     SET state = 'cancelled', finished_at = now(), fence = fence + 1, lease_until = NULL, key_id = NULL, sealed = NULL
     WHERE endpoint_id = $1 AND state = 'pending' AND ${IS_NO_CALLBACK} RETURNING id`,
    [endpointId],
  );
  return cancelled.length;
}

export async function redirectPendingDeliveries(
  tx: EntityManager,
  endpointId: string,
  url: string,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_delivery d SET url = $2 WHERE endpoint_id = $1 AND state = 'pending' AND ${IS_NO_CALLBACK}`,
    [endpointId, url],
  );
}
