import { OutboxEntry, queryRows } from '@app/database';
import { type DataSource, type EntityManager, Raw } from 'typeorm';
import type { QueueMessage } from '../queue/queue-message.js';
import type { QueuePayloads } from '../queue/queues.js';
import { getStageQueue, type StageName } from '../stages/stage-names.js';

/** A stage that gets a queue message. */
export interface DueStage {
  jobId: string;
  name: StageName;
  chunkIndex: number;
  /** Part of the message id, so that another claim gets another id. */
  fence: number;
}

/** Call it in the transaction that makes the stages due. @param delaySeconds before the first delivery */
export async function insertOutboxMessages(
  tx: EntityManager,
  stages: DueStage[],
  delaySeconds = 0,
): Promise<void> {
  if (stages.length === 0) return;
  await tx.query(
    `INSERT INTO outbox (queue, delivery_id, payload, due_at)
     SELECT queue, delivery_id, payload, now() + make_interval(secs => $4)
     FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS message (queue, delivery_id, payload)`,
    [
      stages.map(({ name }) => getStageQueue(name)),
      stages.map(buildMessageId),
      stages.map((stage) => JSON.stringify(buildPayload(stage))),
      delaySeconds,
    ],
  );
}

/** The queue accepts neither `:` nor pure digits in an id. */
export function buildMessageId({ jobId, name, fence }: DueStage): string {
  return `${jobId}-${name.replace(':', '-')}-f${fence}`;
}

function buildPayload({ jobId, name, chunkIndex }: DueStage): QueuePayloads[keyof QueuePayloads] {
  return getStageQueue(name) === 'chunk' ? { jobId, index: chunkIndex } : { jobId };
}

interface OutboxRow extends Pick<QueueMessage, 'queue' | 'payload'> {
  id: number;
  messageId: string;
}

/** Concurrent relays share the messages by SKIP LOCKED. */
export async function lockDueOutboxMessages(tx: EntityManager, limit: number): Promise<OutboxRow[]> {
  return queryRows<OutboxRow>(
    tx,
    `SELECT id, queue, delivery_id AS "messageId", payload FROM outbox
     WHERE due_at <= now() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

export async function deleteOutboxMessages(tx: EntityManager, ids: number[]): Promise<void> {
  await tx.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [ids]);
}

export async function countDueOutboxMessages(db: DataSource): Promise<number> {
  return db.getRepository(OutboxEntry).countBy({ dueAt: Raw((dueAt) => `${dueAt} <= now()`) });
}
