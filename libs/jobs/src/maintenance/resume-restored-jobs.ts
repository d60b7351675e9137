import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { type OutboxMessage, enqueueOutbox } from '../outbox/outbox.js';

export interface RestoredAudio {
  key: string;
  /** As the store that was backed up told it, and as the store of the restore does. */
  etagBefore: string;
  etag: string;
}

/**
 * Makes restored jobs fit to go on: what was running is due again, uncounted; everything open is owed to the queue under
 * ids that no queue has seen; deadlines stand still for as long as nobody could work; audio has the etag of its store.
 * @param elapsedSeconds since the moment of the backup
 * @returns how many stages are due
 */
export async function resumeRestoredJobs(
  tx: EntityManager,
  elapsedSeconds: number,
  audio: readonly RestoredAudio[],
): Promise<number> {
  await tx.query(
    `UPDATE job SET stored_etag = given.etag
     FROM unnest($1::text[], $2::text[], $3::text[]) AS given (key, before, etag)
     WHERE audio_key = given.key AND stored_etag = given.before`,
    [audio.map(({ key }) => key), audio.map(({ etagBefore }) => etagBefore), audio.map(({ etag }) => etag)],
  );
  await tx.query(
    `UPDATE job SET deadline_at = deadline_at + make_interval(secs => $1)
     WHERE status = 'processing' AND queued_at IS NOT NULL`,
    [Math.max(0, elapsedSeconds)],
  );
  const stages = await queryRows<OutboxMessage>(
    tx,
    `UPDATE job_stage SET attempts = attempts - (state = 'running')::int, state = 'pending', fence = fence + 1,
       lease_until = NULL, due_at = now()
     WHERE state IN ('pending', 'running')
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
  );
  await enqueueOutbox(tx, stages);
  return stages.length;
}
