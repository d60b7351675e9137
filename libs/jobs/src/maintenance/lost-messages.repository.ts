import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { QUEUE_NAMES, type QueueName } from '../queue/queues.js';

/** Running stages of one account in a queue; any number where it is absent. */
export type MaxRunningPerAccount = Partial<Record<QueueName, number>>;

/**
 * Counts stages for each row of `given (queue, max_running)`, up to the limit. Those of accounts that have as many running as
 * they may are not due: a message for them would find nothing to claim.
 */
const COUNT_DUE_STAGES = `
  SELECT CASE WHEN given.max_running IS NULL THEN (
    SELECT count(*)::int FROM (
      SELECT FROM job_stage
      WHERE state = 'pending' AND job_stage.queue = given.queue AND due_at < now() - make_interval(secs => $3)
      ORDER BY due_at LIMIT $4) found
  ) ELSE (
    SELECT LEAST($4, COALESCE(sum(claimable), 0))::int FROM (
      SELECT claimable FROM turn
      LEFT JOIN (
        SELECT account_id, count(*)::int AS running FROM job_stage
        WHERE state = 'running' AND job_stage.queue = given.queue GROUP BY account_id
      ) busy USING (account_id)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS claimable FROM (
          SELECT FROM job_stage
          WHERE state = 'pending' AND job_stage.queue = given.queue AND job_stage.account_id = turn.account_id
            AND due_at < now() - make_interval(secs => $3)
          LIMIT GREATEST(0, given.max_running - COALESCE(running, 0))) free
      ) counted
      WHERE turn.queue = given.queue AND (waiting OR wake_at <= now()) AND claimable > 0 LIMIT $4) accounts
  ) END AS due`;

const GIVEN_QUEUES = 'unnest($1::text[], $2::int[]) AS given (queue, max_running)';

/** @returns queues with a stage that nobody has claimed for that time */
export async function findQueuesWithOverdueStages(
  dataSource: DataSource,
  overdueSeconds: number,
  maxRunning: MaxRunningPerAccount,
): Promise<QueueName[]> {
  const rows = await queryRows<{ queue: QueueName }>(
    dataSource,
    `SELECT given.queue FROM ${GIVEN_QUEUES} CROSS JOIN LATERAL (${COUNT_DUE_STAGES}) counted WHERE due > 0`,
    [QUEUE_NAMES, QUEUE_NAMES.map((name) => maxRunning[name] ?? null), overdueSeconds, 1],
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
  maxRunning: MaxRunningPerAccount,
): Promise<StageAndUnsentMessageCounts> {
  const [row] = await queryRows<StageAndUnsentMessageCounts>(
    dataSource,
    `SELECT due,
       (SELECT count(*)::int FROM job_stage WHERE state = 'running' AND job_stage.queue = given.queue) AS running,
       (SELECT count(*)::int FROM (SELECT FROM outbox WHERE outbox.queue = given.queue AND outbox.due_at <= now() LIMIT $4) sent)
         AS unsent
     FROM ${GIVEN_QUEUES} CROSS JOIN LATERAL (${COUNT_DUE_STAGES}) counted`,
    [[queue], [maxRunning[queue] ?? null], 0, limit],
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
