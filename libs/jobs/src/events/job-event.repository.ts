import {
  buildAccountScopedQuery,
  type JobEventType,
  notifyAfterCommit,
  queryAccountRows,
  queryRows,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** Postgres channel of the ids of jobs with new events, notified after their commit. */
export const JOB_EVENT_CHANNEL = 'job_event';

/** Wakes the streams of the job after the commit. A crash can skip it, so that streams also poll. */
export function notifyJobEventsAfterCommit(tx: EntityManager, jobId: string): void {
  notifyAfterCommit(tx, JOB_EVENT_CHANNEL, jobId);
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

/** Of any account: the number of the last event of each job that exists. */
export async function readLastEventNumbers(
  dataSource: DataSource,
  jobIds: readonly string[],
): Promise<{ jobId: string; seq: number }[]> {
  return queryRows(dataSource, 'SELECT id AS "jobId", event_seq AS seq FROM job WHERE id = ANY($1::uuid[])', [
    jobIds,
  ]);
}

export function isTerminalEventType(type: JobEventType): boolean {
  return type === 'completed' || type === 'failed';
}
