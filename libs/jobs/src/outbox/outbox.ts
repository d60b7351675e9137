import type { EntityManager } from 'typeorm';
import type { QueuePayloads } from '../queue/queues.js';
import { type StageName, getStageQueue } from '../stages/stage-names.js';

/** A stage that is owed to the queue. */
export interface OutboxMessage {
  jobId: string;
  name: StageName;
  chunkIndex: number;
  /** Part of the delivery's id: another hand-over, another id. */
  fence: number;
}

/**
 * Owes stages to the queue, inside the transaction that made them due.
 * @param delaySeconds earliest delivery, from now.
 */
export async function enqueueOutbox(
  tx: EntityManager,
  stages: OutboxMessage[],
  delaySeconds = 0,
): Promise<void> {
  if (stages.length === 0) return;
  await tx.query(
    `INSERT INTO outbox (queue, delivery_id, payload, due_at)
     SELECT queue, delivery_id, payload, now() + make_interval(secs => $4)
     FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS owed (queue, delivery_id, payload)`,
    [
      stages.map(({ name }) => getStageQueue(name)),
      stages.map(buildMessageId),
      stages.map((stage) => JSON.stringify(buildPayload(stage))),
      delaySeconds,
    ],
  );
}

/** The queue accepts neither `:` nor pure digits in an id. */
export function buildMessageId({ jobId, name, fence }: OutboxMessage): string {
  return `${jobId}-${name.replace(':', '-')}-f${fence}`;
}

function buildPayload({ jobId, name, chunkIndex }: OutboxMessage): QueuePayloads[keyof QueuePayloads] {
  return getStageQueue(name) === 'chunk' ? { jobId, index: chunkIndex } : { jobId };
}
