import { queryRows } from '@app/database';
import type { OutputType } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { DELIVERIES_NOT_HELD } from './held-deliveries.js';

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
