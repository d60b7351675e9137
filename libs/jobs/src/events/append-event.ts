import type { JobEventType } from '@app/database';
import type { EntityManager } from 'typeorm';

/** Postgres channel on which `<job id>:<seq>` is announced when the event is committed. */
export const EVENT_CHANNEL = 'job_event';

/** Writes an event under a number that the caller took from the job row in the same transaction. */
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
