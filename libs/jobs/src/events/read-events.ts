import { type JobEventType, poolOf } from '@app/database';
import type { DataSource } from 'typeorm';

export interface StoredEvent {
  seq: number;
  type: JobEventType;
  data: Record<string, unknown>;
}

/** The events of a job after the given number, in order. */
export async function readEvents(
  dataSource: DataSource,
  jobId: string,
  afterSeq: number,
): Promise<StoredEvent[]> {
  const { rows } = await poolOf(dataSource).query<StoredEvent>({
    name: 'job-events',
    text: 'SELECT seq, type, data FROM job_event WHERE job_id = $1 AND seq > $2 ORDER BY seq',
    values: [jobId, afterSeq],
  });
  return rows;
}

export function isTerminalEvent(type: JobEventType): boolean {
  return type === 'completed' || type === 'failed';
}
