import {
  queryRows,
  type EncryptedValue,
  IS_INSTALLATION_HELD_SQL,
  Installation,
  WebhookDelivery,
  type WebhookEventType,
} from '@app/database';
import type { OutputType } from '@app/jobs';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import type { DeliveryRetryDecision } from './retry-decision.js';
import type { WebhookAttemptResult } from './send-webhook.js';

/** Postgres channel, notified at commit when a delivery is due. */
export const WEBHOOK_DUE_CHANNEL = 'webhook_due';

/** With the fields of its job for the body, which are null for the event `test`. */
export interface ClaimedDelivery {
  id: string;
  accountId: string;
  jobId: string | null;
  endpointId: string | null;
  url: string;
  event: WebhookEventType;
  /** Null before the first attempt, like `sealed`, the ciphertext. */
  keyId: string | null;
  sealed: Buffer | null;
  fence: number;
  /** Recorded attempts since the creation or the last replay. */
  attemptCount: number;
  /** Recorded attempts, including those before the last replay. */
  totalAttemptCount: number;
  /** Since its creation, whenever it was replayed. */
  ageSeconds: number;
  resultKey: string | null;
  outputType: OutputType | null;
  /** Names may have been given before a replay, or while webhooks were held. */
  hasNamedSpeakers: boolean;
  failedStage: string | null;
  reason: string | null;
  metadata: Record<string, string> | null;
  requestId: string | null;
  /** Trace of the job. */
  traceparent: string | null;
}

/** Chooses by the function `take_webhook_turn`, whatever the number of waiting accounts and deliveries. */
export const CLAIM_NEXT_DUE_DELIVERY_SQL = `
  WITH next AS MATERIALIZED (
    SELECT take_webhook_turn($2::uuid[]) AS id
    WHERE NOT ${IS_INSTALLATION_HELD_SQL}
  ), claimed AS (
    UPDATE webhook_delivery delivery SET fence = fence + 1, lease_until = now() + make_interval(secs => $1)
    FROM next WHERE delivery.id = next.id
    RETURNING delivery.*
  )
  SELECT d.id, d.account_id AS "accountId", d.job_id AS "jobId", d.endpoint_id AS "endpointId", d.url, d.event,
    d.key_id AS "keyId", d.sealed, d.fence, d.attempts - d.attempts_before AS "attemptCount",
    d.attempts AS "totalAttemptCount", extract(epoch FROM now() - d.created_at)::float8 AS "ageSeconds", j.result_key AS "resultKey", j.options->>'output_type' AS "outputType",
    COALESCE(j.speaker_names, '{}') <> '{}' AS "hasNamedSpeakers",
    j.failed_stage AS "failedStage", j.reason, j.metadata, j.request_id AS "requestId", j.traceparent
  FROM claimed d LEFT JOIN job j ON j.id = d.job_id`;

/**
 * Claims the delivery that has been due the longest of the account whose last turn was longest ago; none while webhooks are
 * held. Processes share the rows by SKIP LOCKED. @param excludedAccountIds accounts at their limit
 */
export async function claimNextDueDelivery(
  dataSource: DataSource,
  leaseSeconds: number,
  excludedAccountIds: readonly string[],
): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await queryRows<ClaimedDelivery>(dataSource, CLAIM_NEXT_DUE_DELIVERY_SQL, [
    leaseSeconds,
    excludedAccountIds,
  ]);
  return claimed;
}

/**
 * Deletes the body after the last attempt; a replay builds another. @returns false, without a change, if the
 * lease is lost
 */
export async function recordAttemptAndUpdateDelivery(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  { statusCode, error, durationMs: ms }: WebhookAttemptResult,
  { state, delaySeconds }: DeliveryRetryDecision,
  exchange: EncryptedValue,
): Promise<boolean> {
  const recorded = await queryRows(
    dataSource,
    `WITH decided AS (
       UPDATE webhook_delivery
       SET state = $3, attempts = attempts + 1, lease_until = NULL,
         next_attempt_at = now() + make_interval(secs => $4),
         finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END,
         key_id = CASE WHEN $3 = 'pending' THEN key_id END,
         sealed = CASE WHEN $3 = 'pending' THEN sealed END
       WHERE id = $1 AND fence = $2 AND state = 'pending'
       RETURNING id, attempts
     )
     INSERT INTO webhook_attempt (delivery_id, number, status_code, error, ms, key_id, sealed)
     SELECT id, attempts, $5, $6, $7, $8, $9 FROM decided
     RETURNING number`,
    [id, fence, state, delaySeconds, statusCode, error, ms, exchange.keyId, exchange.sealed],
  );
  return recorded.length === 1;
}

/** Between claims of a delivery that cannot be sent: without its encryption key, the store, or the network of this machine. */
const MAX_POSTPONEMENT_SECONDS = 300;

/**
 * After a claim without a recorded attempt. The delay starts with `leaseSeconds` and doubles with each such claim since the last
 * attempt; claims are counted by the fence.
 */
export async function postponeDeliveryWithoutAttempt(
  dataSource: DataSource,
  { id, fence }: Pick<ClaimedDelivery, 'id' | 'fence'>,
  leaseSeconds: number,
): Promise<void> {
  await dataSource.query(
    `UPDATE webhook_delivery SET lease_until = NULL, next_attempt_at = now() + make_interval(
       secs => LEAST($4, $3 * 2 ^ LEAST(GREATEST(fence - attempts - 1, 0), 16)))
     WHERE id = $1 AND fence = $2 AND state = 'pending'`,
    [id, fence, leaseSeconds, MAX_POSTPONEMENT_SECONDS],
  );
}

/**
 * Stops new attempts in all processes; running ones finish, and new deliveries are still recorded.
 * @returns false if they were held already
 */
export async function holdAllWebhookDeliveries(db: DataSource | EntityManager): Promise<boolean> {
  const held = await db
    .getRepository(Installation)
    .update({ webhooksHeldAt: IsNull() }, { webhooksHeldAt: () => 'now()' });
  return held.affected === 1;
}

/** @returns false if webhooks were not held */
export async function releaseAllWebhookDeliveries(db: DataSource | EntityManager): Promise<boolean> {
  const released = await queryRows(
    db,
    `WITH released AS (
       UPDATE installation SET webhooks_held_at = NULL WHERE webhooks_held_at IS NOT NULL RETURNING id
     )
     SELECT pg_notify('${WEBHOOK_DUE_CHANNEL}', '') FROM released`,
  );
  return released.length > 0;
}

/** @returns null if webhooks are not held */
export async function findWebhookHoldStart(db: DataSource): Promise<Date | null> {
  const installation = await db.getRepository(Installation).findOne({
    select: { id: true, webhooksHeldAt: true },
    where: {},
  });
  return installation?.webhooksHeldAt ?? null;
}

/**
 * Makes pending deliveries of the dump due again. Their bodies are built again, because a URL in them may
 * belong to the store of the backup. Holds all webhooks, because receivers may have received them since the
 * dump and must not notice a trial restore. @returns the number of pending deliveries
 */
export async function holdAndResetRestoredWebhooks(tx: EntityManager): Promise<number> {
  const pending = await queryRows(
    tx,
    `UPDATE webhook_delivery SET lease_until = NULL, fence = fence + 1, sealed = NULL, key_id = NULL
     WHERE state = 'pending' RETURNING id`,
  );
  await holdAllWebhookDeliveries(tx);
  return pending.length;
}

/** @returns false if the lease is lost */
export async function saveEncryptedWebhookBody(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  body: EncryptedValue,
): Promise<boolean> {
  const saved = await dataSource
    .getRepository(WebhookDelivery)
    .update({ id, fence, state: 'pending' }, { keyId: body.keyId, sealed: body.sealed });
  return saved.affected === 1;
}

export interface WebhookBacklog {
  pending: number;
  /** 0 if none is due, and while webhooks are held. */
  oldestDueSeconds: number;
}

export async function readWebhookBacklog(dataSource: DataSource): Promise<WebhookBacklog> {
  const [row] = await queryRows<WebhookBacklog>(
    dataSource,
    `SELECT count(*) AS pending,
       COALESCE(GREATEST(0, extract(epoch FROM now() - min(next_attempt_at) FILTER (
         WHERE NOT ${IS_INSTALLATION_HELD_SQL}
       ))), 0)::float8 AS "oldestDueSeconds"
     FROM webhook_delivery WHERE state = 'pending'`,
  );
  return row ?? { pending: 0, oldestDueSeconds: 0 };
}

/**
 * Deletes the stored requests and responses of old attempts, and old test events; at most `limit` of each.
 * @returns whether there may be more
 */
export async function purgeOldWebhookExchangesAndTests(
  db: DataSource,
  days: number,
  limit = 1_000,
): Promise<boolean> {
  const exchanges = await queryRows(
    db,
    `UPDATE webhook_attempt SET key_id = NULL, sealed = NULL WHERE (delivery_id, number) IN (
       SELECT delivery_id, number FROM webhook_attempt
       WHERE sealed IS NOT NULL AND at < now() - make_interval(days => $1) ORDER BY at LIMIT $2
     ) RETURNING number`,
    [days, limit],
  );
  const tests = await queryRows(
    db,
    `DELETE FROM webhook_delivery WHERE id IN (
       SELECT id FROM webhook_delivery
       WHERE job_id IS NULL AND finished_at < now() - make_interval(days => $1) LIMIT $2
     ) RETURNING id`,
    [days, limit],
  );
  return exchanges.length === limit || tests.length === limit;
}
