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
  `SELECT event.seq, event.type, event.data
   FROM job LEFT JOIN job_event event ON event.job_id = job.id AND event.seq > $3
   WHERE job.id = $2 AND job.account_id = $1 ORDER BY event.seq`,
);

/** In order. @returns null if the job does not exist, which may have been deleted */
export async function readJobEvents(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
  afterSeq: number,
): Promise<StoredJobEvent[] | null> {
  const rows = await queryAccountRows<StoredJobEvent | { seq: null }>(dataSource, accountId, SELECT_EVENTS, [
    jobId,
    afterSeq,
  ]);
  return rows.length === 0 ? null : rows.filter((row): row is StoredJobEvent => row.seq !== null);
}

/** The number of the last event of each job that exists, in any account. */
export async function readLastEventNumbers(
  dataSource: DataSource,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const jobs = await queryRows<{ id: string; seq: number }>(
    dataSource,
    'SELECT id, event_seq AS seq FROM job WHERE id = ANY($1::uuid[])',
    [jobIds],
  );
  return new Map(jobs.map(({ id, seq }) => [id, seq]));
}

export function isEndEventType(type: JobEventType): boolean {
  return type === 'completed' || type === 'failed';
}
