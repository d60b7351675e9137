import { type JobEventType, queryAccountRows, buildAccountStatement } from '@app/database';
import type { DataSource } from 'typeorm';

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

/** The events of an account's job after the given number, in order. */
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
