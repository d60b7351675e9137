import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { QUEUE_NAMES, type QueueName } from '../queue/queues.js';

/** Counts rows of a LATERAL query for each queue, and reads at most `limit` of them. */
const COUNT_DUE_STAGES = `
  SELECT count(*)::int AS due FROM (
    SELECT FROM job_stage
    WHERE state = 'pending' AND job_stage.queue = given.queue AND due_at < now() - make_interval(secs => $2)
    ORDER BY due_at LIMIT $3) found`;

/** @returns queues with a stage that nobody has claimed for that time */
export async function findQueuesWithOverdueStages(
  dataSource: DataSource,
  overdueSeconds: number,
): Promise<QueueName[]> {
  const rows = await queryRows<{ queue: QueueName }>(
    dataSource,
    `SELECT given.queue FROM unnest($1::text[]) AS given (queue) CROSS JOIN LATERAL (${COUNT_DUE_STAGES}) counted
     WHERE due > 0`,
    [QUEUE_NAMES, overdueSeconds, 1],
  );
  return rows.map(({ queue }) => queue);
}

export interface StageAndUnsentMessageCounts {
  /** At most the limit. */
  due: number;
  running: number;
  /** Messages in the outbox, at most the limit. */
  unsent: number;
}

export async function countStagesAndUnsentMessages(
  dataSource: DataSource,
  queue: QueueName,
  limit: number,
): Promise<StageAndUnsentMessageCounts> {
  const [row] = await queryRows<StageAndUnsentMessageCounts>(
    dataSource,
    `SELECT due,
       (SELECT count(*)::int FROM job_stage WHERE state = 'running' AND job_stage.queue = given.queue) AS running,
       (SELECT count(*)::int FROM (SELECT FROM outbox WHERE outbox.queue = given.queue AND outbox.due_at <= now() LIMIT $3) sent)
         AS unsent
     FROM unnest($1::text[]) AS given (queue) CROSS JOIN LATERAL (${COUNT_DUE_STAGES}) counted`,
    [[queue], 0, limit],
  );
  return row ?? { due: 0, running: 0, unsent: 0 };
}

/**
 * Adds messages with new ids: the queue may have used the earlier ones for other stages.
 * @returns the number of added messages, for the stages that have been due the longest
 */
export async function addSubstituteMessages(
  dataSource: DataSource,
  queue: QueueName,
  count: number,
): Promise<number> {
  const added = await queryRows(
    dataSource,
    `INSERT INTO outbox (queue, delivery_id, payload)
     SELECT queue, concat_ws('-', job_id, replace(name, ':', '-'), 'f' || fence, gen_random_uuid()),
       CASE queue WHEN 'chunk' THEN jsonb_build_object('jobId', job_id, 'index', chunk_index)
         ELSE jsonb_build_object('jobId', job_id) END
     FROM (SELECT * FROM job_stage WHERE state = 'pending' AND queue = $1 AND due_at <= now() ORDER BY due_at LIMIT $2) due
     RETURNING id`,
    [queue, count],
  );
  return added.length;
}
