import { type DeliveryState, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { DUE_CHANNEL } from './due-channel.js';

/** Whose deliveries: one organisation's, or, for the operator only, everybody's. */
export type DeliveryScope = { accountId: string } | 'every account';

export interface DeliveryView {
  id: string;
  accountId: string;
  jobId: string;
  url: string;
  event: 'completed' | 'failed';
  state: DeliveryState;
  attempts: number;
  /** Null once the delivery has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface AttemptView {
  number: number;
  at: Date;
  statusCode: number | null;
  error: string | null;
  /** Milliseconds. */
  ms: number;
}

export interface DeliveryPage {
  /** 1 to 100; default 50. */
  limit?: number;
  /** Id of the last delivery of the page before. */
  before?: string;
  state?: DeliveryState;
}

/** What was sent, what is owed, and the way to send it again. */
export class WebhookDeliveries {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async listDeliveries(
    scope: DeliveryScope,
    { limit = 50, before, state }: DeliveryPage = {},
  ): Promise<DeliveryView[]> {
    return queryRows<DeliveryView>(
      this.dataSource,
      `SELECT id, account_id AS "accountId", job_id AS "jobId", url, event, state, attempts,
         CASE WHEN state = 'pending' THEN next_attempt_at END AS "nextAttemptAt",
         created_at AS "createdAt", finished_at AS "finishedAt"
       FROM webhook_delivery
       WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR state = $3)
       ORDER BY id DESC LIMIT $4`,
      [accountIdOf(scope), before ?? null, state ?? null, Math.min(Math.max(limit, 1), 100)],
    );
  }

  /** Oldest first; none for a delivery that is not in the scope. */
  async listAttempts(scope: DeliveryScope, deliveryId: string): Promise<AttemptView[]> {
    return queryRows<AttemptView>(
      this.dataSource,
      `SELECT a.number, a.at, a.status_code AS "statusCode", a.error, a.ms
       FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
       WHERE d.id = $2 AND ($1::uuid IS NULL OR d.account_id = $1) ORDER BY a.number`,
      [accountIdOf(scope), deliveryId],
    );
  }

  /** For the operator. @returns null when there is no such delivery */
  async findState(deliveryId: string): Promise<DeliveryState | null> {
    const [delivery] = await queryRows<{ state: DeliveryState }>(
      this.dataSource,
      'SELECT state FROM webhook_delivery WHERE id = $1',
      [deliveryId],
    );
    return delivery?.state ?? null;
  }

  /**
   * Makes an ended delivery due at once, with all attempts before it again. It keeps its id; the body is composed
   * anew, as the download address in the old one may have expired.
   * @returns false when there is no such delivery or it has not ended
   */
  async replay(scope: DeliveryScope, deliveryId: string): Promise<boolean> {
    const replayed = await queryRows(this.dataSource, replayStatement(`id = $2 AND state <> 'pending'`), [
      accountIdOf(scope),
      deliveryId,
    ]);
    return replayed.length === 1;
  }

  /**
   * The same for all that failed for good, as after an outage of their receiver.
   * @param since only those that failed then or later; null for all
   * @returns how many
   */
  async replayFailed(scope: DeliveryScope, since: Date | null): Promise<number> {
    const failed = `state = 'failed' AND ($2::timestamptz IS NULL OR finished_at >= $2)`;
    return (await queryRows(this.dataSource, replayStatement(failed), [accountIdOf(scope), since])).length;
  }
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

function accountIdOf(scope: DeliveryScope): string | null {
  return scope === 'every account' ? null : scope.accountId;
}
