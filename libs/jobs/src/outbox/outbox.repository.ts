import { inTransaction, OutboxEntry, queryPrepared, queryRows } from '@app/database';
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
  /** Before the first delivery; absent for none. */
  delaySeconds?: number;
}

export interface OutboxMessage extends Pick<QueueMessage, 'queue' | 'payload'> {
  /** Id of the row. */
  id: number;
  messageId: string;
}

const MESSAGES_OF_TRANSACTION = new WeakMap<EntityManager, OutboxMessage[]>();

/** Attaches messages that are due at the commit. The relay sends them without reading their rows. */
export function attachOutboxMessagesToTransaction(
  tx: EntityManager,
  messages: readonly OutboxMessage[],
): void {
  const earlier = MESSAGES_OF_TRANSACTION.get(tx) ?? [];
  if (messages.length > 0) MESSAGES_OF_TRANSACTION.set(tx, [...earlier, ...messages]);
}

/** @returns the result of the work, and the messages that were committed with it */
export async function runTransactionReturningMessages<T>(
  dataSource: DataSource,
  work: (tx: EntityManager) => Promise<T>,
): Promise<{ result: T; messages: OutboxMessage[] }> {
  const { result, tx } = await inTransaction(dataSource, async (own) => ({
    result: await work(own),
    tx: own,
  }));
  return { result, messages: MESSAGES_OF_TRANSACTION.get(tx) ?? [] };
}

/** Call it in the transaction that makes the stages due. */
export async function enqueueStageMessages(tx: EntityManager, stages: DueStage[]): Promise<void> {
  if (stages.length === 0) return;
  const messages = await queryRows<OutboxMessage>(
    tx,
    `INSERT INTO outbox (queue, delivery_id, payload, due_at)
     SELECT queue, delivery_id, payload, now() + make_interval(secs => delay)
     FROM unnest($1::text[], $2::text[], $3::jsonb[], $4::float8[]) AS message (queue, delivery_id, payload, delay)
     RETURNING id, queue, delivery_id AS "messageId", payload`,
    [
      stages.map(({ name }) => getStageQueue(name)),
      stages.map(buildMessageId),
      stages.map((stage) => JSON.stringify(buildPayload(stage))),
      stages.map(({ delaySeconds = 0 }) => delaySeconds),
    ],
  );
  const delayed = new Set(stages.flatMap((stage) => (stage.delaySeconds ? buildMessageId(stage) : [])));
  attachOutboxMessagesToTransaction(
    tx,
    messages.filter(({ messageId }) => !delayed.has(messageId)),
  );
}

/** The queue accepts neither `:` nor pure digits in an id. */
export function buildMessageId({ jobId, name, fence }: DueStage): string {
  return `${jobId}-${name.replace(':', '-')}-f${fence}`;
}

function buildPayload({ jobId, name, chunkIndex }: DueStage): QueuePayloads[keyof QueuePayloads] {
  return getStageQueue(name) === 'chunk' ? { jobId, index: chunkIndex } : { jobId };
}

/**
 * SQL that inserts the messages of the stages in `added` (job_id, name, queue, chunk_index, fence) and returns them as
 * `OutboxMessage`: the same ids and payloads as `enqueueStageMessages`, without its round trip.
 */
export const INSERT_MESSAGES_OF_ADDED_STAGES_SQL = `
  INSERT INTO outbox (queue, delivery_id, payload)
  SELECT queue, job_id || '-' || replace(name, ':', '-') || '-f' || fence,
    jsonb_build_object('jobId', job_id) || CASE WHEN queue = 'chunk' THEN jsonb_build_object('index', chunk_index) ELSE '{}' END
  FROM added
  RETURNING id, queue, delivery_id AS "messageId", payload`;

/**
 * Concurrent relays share the messages by SKIP LOCKED.
 * @param minAgeSeconds leaves younger messages to the process that wrote them
 */
export async function lockDueOutboxMessages(
  tx: EntityManager,
  limit: number,
  minAgeSeconds: number,
): Promise<OutboxMessage[]> {
  return queryRows<OutboxMessage>(
    tx,
    `SELECT id, queue, delivery_id AS "messageId", payload FROM outbox
     WHERE due_at <= now() - make_interval(secs => $2) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit, minAgeSeconds],
  );
}

const DELETE_SENT_MESSAGES = {
  name: 'delete-sent-messages',
  text: `
    WITH sent AS (DELETE FROM outbox WHERE id = ANY($1::bigint[]))
    SELECT EXISTS (
      SELECT FROM outbox WHERE due_at <= now() - make_interval(secs => $2) AND id <> ALL($1::bigint[])) AS "isAnyDue"`,
};

/** @returns whether another message is due, and older than `minAgeSeconds` */
export async function deleteSentMessagesAndCheckForDue(
  { manager }: DataSource,
  ids: readonly number[],
  minAgeSeconds: number,
): Promise<boolean> {
  const [row] = await queryPrepared<{ isAnyDue: boolean }>(manager, DELETE_SENT_MESSAGES, [
    ids,
    minAgeSeconds,
  ]);
  return row?.isAnyDue === true;
}

export async function deleteOutboxMessages(tx: EntityManager, ids: number[]): Promise<void> {
  await tx.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [ids]);
}

/** A healthy program has sent a message and deleted its row before: the relay's minimum age and interval are 3 seconds. */
const UNSENT_AFTER_SECONDS = 5;

/** @returns the number of messages that have been due for at least 5 seconds; younger rows may be of sent messages */
export async function countOverdueOutboxMessages(db: DataSource | EntityManager): Promise<number> {
  const dueAt = Raw((column) => `${column} <= now() - make_interval(secs => :seconds)`, {
    seconds: UNSENT_AFTER_SECONDS,
  });
  return db.getRepository(OutboxEntry).countBy({ dueAt });
}
