import { buildAccountStatement, type JobEventType, queryAccountRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** Postgres channel of the notification `<job id>:<seq>`, sent when the event commits. */
export const EVENT_CHANNEL = 'job_event';

/** Writes an event with the number that the caller took from the job row in the same transaction. */
export async function appendEvent(
  tx: EntityManager,
  jobId: string,
  seq: number,
  type: JobEventType,
  data: Record<string, unknown>,
): Promise<void> {
  await tx.query(
    `WITH event AS (INSERT INTO job_event (job_id, seq, type, data) VALUES ($1, $2, $3, $4))
     SELECT pg_notify('${EVENT_CHANNEL}', $1::text || ':' || $2::text)`,
    [jobId, seq, type, JSON.stringify(data)],
  );
}

export interface StoredEvent {
  seq: number;
  type: JobEventType;
  data: Record<string, unknown>;
}

const SELECT_EVENTS = buildAccountStatement(
  'job-events',
  `SELECT seq, type, data FROM job_event
   WHERE job_id = $2 AND seq > $3 AND job_id IN (SELECT id FROM job WHERE account_id = $1) ORDER BY seq`,
);

/** The events of a job of the account after the given number, in order. */
export async function readEvents(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
  afterSeq: number,
): Promise<StoredEvent[]> {
  return queryAccountRows<StoredEvent>(dataSource, accountId, SELECT_EVENTS, [jobId, afterSeq]);
}

export function isTerminalEvent(type: JobEventType): boolean {
  return type === 'completed' || type === 'failed';
}
