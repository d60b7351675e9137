import {
  deferPreparedStatementToNextRoundTrip,
  type JobEndEventType,
  notifyAfterCommit,
  queryRows,
  type WebhookEndpoint,
} from '@app/database';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { WEBHOOK_DUE_CHANNEL } from './webhook-delivery.repository.js';

export const MAX_ENDPOINTS_PER_ACCOUNT = 10;

const INSERT_DELIVERIES = {
  name: 'insert-deliveries',
  text: `
    WITH ended AS (SELECT id, account_id, options->>'callback_url' AS callback_url FROM job WHERE id = $2),
    endpoint AS (
      SELECT e.id, e.url FROM webhook_endpoint e JOIN ended ON ended.account_id = e.account_id
      WHERE e.enabled AND e.deleted_at IS NULL AND $3 = ANY (e.events)
      ORDER BY e.id LIMIT ${MAX_ENDPOINTS_PER_ACCOUNT} FOR SHARE OF e
    ),
    target AS (
      SELECT id AS endpoint_id, url FROM endpoint
      UNION ALL
      SELECT NULL, callback_url FROM ended
      WHERE callback_url IS NOT NULL AND callback_url NOT IN (SELECT url FROM endpoint)
    )
    INSERT INTO webhook_delivery (id, account_id, job_id, endpoint_id, url, event)
    SELECT ($1::uuid[])[row_number() OVER ()], ended.account_id, ended.id, endpoint_id, url, $3
    FROM target CROSS JOIN ended
    RETURNING id`,
};

/**
 * One delivery for each enabled endpoint with this event, and one for `callback_url`, unless that is the URL of one of
 * these endpoints. The share lock makes a transaction that disables an endpoint wait, so that it cancels this delivery.
 */
export async function insertJobEndDeliveries(
  tx: EntityManager,
  jobId: string,
  event: JobEndEventType,
): Promise<void> {
  const ids = Array.from({ length: MAX_ENDPOINTS_PER_ACCOUNT + 1 }, () => uuidv7());
  await deferPreparedStatementToNextRoundTrip(tx, INSERT_DELIVERIES, [ids, jobId, event], {
    onRows: ({ length }) => {
      if (length > 0) notifyAfterCommit(tx, WEBHOOK_DUE_CHANNEL, '');
    },
  });
}

/** @returns the id of the delivery */
export async function insertTestDelivery(
  tx: EntityManager,
  { id: endpointId, accountId, url }: Pick<WebhookEndpoint, 'id' | 'accountId' | 'url'>,
): Promise<string> {
  const deliveryId = uuidv7();
  await queryRows(
    tx,
    `WITH inserted AS (
       INSERT INTO webhook_delivery (id, account_id, endpoint_id, url, event) VALUES ($1, $2, $3, $4, 'test')
       RETURNING id
     )
     SELECT pg_notify('${WEBHOOK_DUE_CHANNEL}', '') FROM inserted`,
    [deliveryId, accountId, endpointId, url],
  );
  return deliveryId;
}
