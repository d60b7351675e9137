import { queryRows, type EncryptedValue, Installation, WebhookDelivery } from '@app/database';
import type { OutputType } from '@app/jobs';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DUE_CHANNEL } from './due-channel.js';
import type { RetryDecision } from './retry-decision.js';
import type { AttemptResult } from './send-webhook.js';

/** A delivery in the hands of one dispatcher, with what its body speaks of. */
export interface ClaimedDelivery {
  id: string;
  accountId: string;
  jobId: string;
  url: string;
  event: 'completed' | 'failed';
  /** The text, for `SealedWebhookBodies`; null until the first attempt. */
  keyId: string | null;
  sealed: Buffer | null;
  fence: number;
  /** Attempts with a known outcome since it was made or last replayed. */
  attemptCount: number;
  resultKey: string | null;
  outputType: OutputType;
  failedStage: string | null;
  reason: string | null;
  /** What the caller gave the job; null for none. */
  metadata: Record<string, string> | null;
  /** Of the request that created the job. */
  requestId: string | null;
}

/**
 * Takes the delivery that has been due the longest. One whose dispatcher fell silent is due again when its lease
 * is over; none is taken while deliveries are held. Several processes share the rows by SKIP LOCKED.
 * @param excludedAccountIds accounts that have to wait
 */
export async function claimDelivery(
  dataSource: DataSource,
  leaseSeconds: number,
  excludedAccountIds: readonly string[],
): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await queryRows<ClaimedDelivery>(
    dataSource,
    `UPDATE webhook_delivery d
     SET fence = d.fence + 1, lease_until = now() + make_interval(secs => $1)
     FROM job j
     WHERE j.id = d.job_id AND d.id = (
       SELECT id FROM webhook_delivery
       WHERE state = 'pending' AND next_attempt_at <= now()
         AND (lease_until IS NULL OR lease_until <= now()) AND account_id <> ALL($2::uuid[])
         AND ${DELIVERIES_NOT_HELD}
       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
     )
     RETURNING d.id, d.account_id AS "accountId", d.job_id AS "jobId", d.url, d.event, d.key_id AS "keyId",
       d.sealed, d.fence, d.attempts - d.attempts_before AS "attemptCount", j.result_key AS "resultKey",
       j.options->>'output_type' AS "outputType", j.failed_stage AS "failedStage", j.reason,
       j.metadata, j.request_id AS "requestId"`,
    [leaseSeconds, excludedAccountIds],
  );
  return claimed;
}

/**
 * Writes the attempt and what it means for the delivery, in one statement.
 * The text goes with the last attempt: a replay composes another.
 * @returns false, and nothing is written, when the delivery is in other hands by now
 */
export async function recordAttempt(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  { statusCode, error, durationMs: ms }: AttemptResult,
  { state, delaySeconds }: RetryDecision,
): Promise<boolean> {
  const recorded = await queryRows(
    dataSource,
    `WITH judged AS (
       UPDATE webhook_delivery
       SET state = $3, attempts = attempts + 1, lease_until = NULL,
         next_attempt_at = now() + make_interval(secs => $4),
         finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END,
         key_id = CASE WHEN $3 = 'pending' THEN key_id END,
         sealed = CASE WHEN $3 = 'pending' THEN sealed END
       WHERE id = $1 AND fence = $2 AND state = 'pending'
       RETURNING id, attempts
     )
     INSERT INTO webhook_attempt (delivery_id, number, status_code, error, ms)
     SELECT id, attempts, $5, $6, $7 FROM judged
     RETURNING number`,
    [id, fence, state, delaySeconds, statusCode, error, ms],
  );
  return recorded.length === 1;
}

/** Condition of SQL: deliveries may be sent. */
export const DELIVERIES_NOT_HELD = 'NOT EXISTS (SELECT FROM installation WHERE webhooks_held_at IS NOT NULL)';

/** From now on no process sends any; those under way come to their end. Deliveries are owed as ever. */
export async function holdDeliveries(db: DataSource | EntityManager): Promise<void> {
  await db
    .getRepository(Installation)
    .update({ webhooksHeldAt: IsNull() }, { webhooksHeldAt: () => 'now()' });
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
  const installation = await db.getRepository(Installation).findOne({
    select: { id: true, webhooksHeldAt: true },
    where: {},
  });
  return installation?.webhooksHeldAt ?? null;
}

export async function countPendingDeliveries(db: DataSource): Promise<number> {
  return db.getRepository(WebhookDelivery).countBy({ state: 'pending' });
}

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

/** @returns false when the delivery is in other hands by now */
export async function saveBody(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  body: EncryptedValue,
): Promise<boolean> {
  const saved = await dataSource
    .getRepository(WebhookDelivery)
    .update({ id, fence, state: 'pending' }, { keyId: body.keyId, sealed: body.sealed });
  return saved.affected === 1;
}

/** For the job's `callback_url`, if it has one. */
export async function insertDelivery(
  tx: EntityManager,
  jobId: string,
  event: WebhookDelivery['event'],
): Promise<void> {
  await tx.query(
    `WITH owed AS (
       INSERT INTO webhook_delivery (id, account_id, job_id, url, event)
       SELECT $1, account_id, id, options->>'callback_url', $3
       FROM job WHERE id = $2 AND options->>'callback_url' IS NOT NULL
       RETURNING id
     )
     SELECT pg_notify('${DUE_CHANNEL}', '') FROM owed`,
    [uuidv7(), jobId, event],
  );
}

export interface AttemptView {
  number: number;
  at: Date;
  statusCode: number | null;
  error: string | null;
  /** Milliseconds. */
  ms: number;
}

/** @param accountId null for every account */
export async function findAttempts(
  db: EntityManager,
  accountId: string | null,
  deliveryId: string,
): Promise<AttemptView[]> {
  return queryRows<AttemptView>(
    db,
    `SELECT a.number, a.at, a.status_code AS "statusCode", a.error, a.ms
     FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
     WHERE d.id = $2 AND ($1::uuid IS NULL OR d.account_id = $1) ORDER BY a.number`,
    [accountId, deliveryId],
  );
}

/** @returns false when there is no such delivery or it has not ended */
export async function replayDelivery(
  db: EntityManager,
  accountId: string | null,
  deliveryId: string,
): Promise<boolean> {
  const replayed = await queryRows(db, replayStatement(`id = $2 AND state <> 'pending'`), [
    accountId,
    deliveryId,
  ]);
  return replayed.length === 1;
}

/** @returns how many */
export async function replayFailedDeliveries(
  db: EntityManager,
  accountId: string | null,
  since: Date | null,
): Promise<number> {
  const failed = `state = 'failed' AND ($2::timestamptz IS NULL OR finished_at >= $2)`;
  return (await queryRows(db, replayStatement(failed), [accountId, since])).length;
}

/** @param condition says which, beside the account $1 */
function replayStatement(condition: string): string {
  return `
    WITH replayed AS (
      UPDATE webhook_delivery
      SET state = 'pending', attempts_before = attempts, key_id = NULL, sealed = NULL,
        next_attempt_at = now(), fence = fence + 1, finished_at = NULL
      WHERE ($1::uuid IS NULL OR account_id = $1) AND ${condition}
      RETURNING id
    )
    SELECT id, pg_notify('${DUE_CHANNEL}', '') FROM replayed`;
}

export interface PendingWebhooks {
  pending: number;
  /** 0 if none is due. */
  oldestDueSeconds: number;
}

export async function readPendingWebhooks(dataSource: DataSource): Promise<PendingWebhooks> {
  const [row] = await queryRows<PendingWebhooks>(
    dataSource,
    `SELECT count(*) AS pending,
       COALESCE(GREATEST(0, extract(epoch FROM now() - min(next_attempt_at))), 0)::float8 AS "oldestDueSeconds"
     FROM webhook_delivery WHERE state = 'pending'`,
  );
  return row ?? { pending: 0, oldestDueSeconds: 0 };
}
