import { buildAccountScopedQuery, type JobEventType, queryAccountRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** Postgres channel of `<job id>:<seq>`, notified at commit. */
export const JOB_EVENT_CHANNEL = 'job_event';

/** @param event with the number taken from the job row in the same transaction */
export async function appendJobEvent(
  tx: EntityManager,
  jobId: string,
  seq: number,
  type: JobEventType,
  data: Record<string, unknown>,
): Promise<void> {
  await tx.query(
    `WITH event AS (INSERT INTO job_event (job_id, seq, type, data) VALUES ($1, $2, $3, $4))
     SELECT pg_notify('${JOB_EVENT_CHANNEL}', $1::text || ':' || $2::text)`,
    [jobId, seq, type, JSON.stringify(data)],
  );
}

export interface StoredJobEvent {
  seq: number;
  type: JobEventType;
  data: Record<string, unknown>;
}

const SELECT_EVENTS = buildAccountScopedQuery(
  'job-events',
  `SELECT seq, type, data FROM job_event
   WHERE job_id = $2 AND seq > $3 AND job_id IN (SELECT id FROM job WHERE account_id = $1) ORDER BY seq`,
);

/** In order. */
export async function readJobEvents(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
  afterSeq: number,
): Promise<StoredJobEvent[]> {
  return queryAccountRows<StoredJobEvent>(dataSource, accountId, SELECT_EVENTS, [jobId, afterSeq]);
}

export function isTerminalEventType(type: JobEventType): boolean {
  return type === 'completed' || type === 'failed';
}
