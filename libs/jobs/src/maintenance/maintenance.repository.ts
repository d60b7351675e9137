import { JobStage, queryRows } from '@app/database';
import { type DataSource, type EntityManager, In } from 'typeorm';
import { QUEUE_NAMES } from '../queue/queues.js';
import { enqueueStageMessages, type DueStage } from '../outbox/outbox.repository.js';
import { MAX_CRASH_DELAY_SECONDS, CRASH_DELAY_BASE_SECONDS } from '../stages/crash-delay.js';
import type { StageName } from '../stages/stage-names.js';

const BATCH = 200;

export interface ReclaimedStage {
  jobId: string;
  name: StageName;
  /** Includes the abandoned one. */
  attempts: number;
  /** Includes this one. */
  crashes: number;
  requestId: string | null;
}

/**
 * Counts a crash of each. After the first one a stage is due at once: most crashes have nothing to do with their stages. Later
 * delays are random, so stages of one process do not run together again, and the one that kills its process is left alone.
 */
export async function reclaimExpiredLeases(tx: EntityManager): Promise<ReclaimedStage[]> {
  const stages = await queryRows<DueStage & ReclaimedStage>(
    tx,
    `WITH expired AS MATERIALIZED (
       SELECT job_id, name, CASE WHEN crashes = 0 THEN 0
         ELSE random() * LEAST($2, $1 * 2.0::float8 ^ (crashes - 1)) END AS delay
       FROM job_stage WHERE state = 'running' AND lease_until < now()
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     UPDATE job_stage stage SET state = 'pending', fence = fence + 1, crashes = crashes + 1, lease_until = NULL,
       due_at = now() + make_interval(secs => delay), waiting_since = now() + make_interval(secs => delay),
       last_error = 'The lease of the worker expired.'
     FROM expired WHERE stage.job_id = expired.job_id AND stage.name = expired.name
     RETURNING stage.job_id AS "jobId", stage.name, chunk_index AS "chunkIndex", fence, attempts, crashes,
       delay AS "delaySeconds", (SELECT request_id FROM job WHERE id = stage.job_id) AS "requestId"`,
    [CRASH_DELAY_BASE_SECONDS, MAX_CRASH_DELAY_SECONDS],
  );
  await enqueueStageMessages(tx, stages);
  return stages.map(({ jobId, name, attempts, crashes, requestId }) => {
    return { jobId, name, attempts, crashes, requestId };
  });
}

/** Each query uses one index. */
export const SELECT_OVERDUE_JOBS_SQL = `
  (SELECT id, false AS queued FROM job
   WHERE queued_at IS NULL AND status = 'processing' AND upload_expires_at < now()
     AND (upload_session_until IS NULL OR upload_session_until < now())
   ORDER BY upload_expires_at LIMIT ${BATCH})
  UNION ALL
  (SELECT id, true AS queued FROM job
   WHERE status = 'processing' AND deadline_at < now()
   ORDER BY deadline_at LIMIT ${BATCH})`;

export async function findOverdueJobs(db: DataSource): Promise<{ id: string; queued: boolean }[]> {
  return queryRows(db, SELECT_OVERDUE_JOBS_SQL);
}

/** @returns false also if another transaction has locked the job: it may be ending it, and a later sweep finds it again */
export async function lockOverdueJob(tx: EntityManager, id: string, queued: boolean): Promise<boolean> {
  const locked = await queryRows(
    tx,
    `SELECT id FROM job WHERE id = $1 AND (queued_at IS NOT NULL) = $2 AND (queued_at IS NOT NULL
       OR GREATEST(upload_expires_at, upload_session_until) < now()) FOR UPDATE SKIP LOCKED`,
    [id, queued],
  );
  return locked.length === 1;
}

/** @returns undefined if no stage is open */
export async function findFirstOpenStageName(tx: EntityManager, jobId: string): Promise<string | undefined> {
  const stage = await tx.findOne(JobStage, {
    select: { jobId: true, name: true },
    where: { jobId, state: In(['pending', 'running']) },
    order: { chunkIndex: 'ASC' },
  });
  return stage?.name;
}

/**
 * Resets all attempts and crashes; workers lose their leases. The job must not have ended. @returns the names of
 * the stages
 */
export async function restartOpenStagesOfJob(tx: EntityManager, jobId: string): Promise<string[]> {
  const stages = await queryRows<DueStage>(
    tx,
    `UPDATE job_stage stage
     SET state = 'pending', fence = fence + 1, attempts = 0, crashes = 0, lease_until = NULL, due_at = now(),
       waiting_since = now()
     FROM job WHERE job.id = $1 AND job.status = 'processing' AND stage.job_id = job.id
       AND stage.state IN ('pending', 'running')
     RETURNING stage.job_id AS "jobId", stage.name, stage.chunk_index AS "chunkIndex", stage.fence`,
    [jobId],
  );
  await enqueueStageMessages(tx, stages);
  return stages.map(({ name }) => name);
}

export interface RestoredAudioEtagChange {
  key: string;
  /** In the store of the backup; `etag` is in the store of the restore. */
  etagBefore: string;
  etag: string;
}

/**
 * Makes running stages due again without a counted attempt, enqueues open stages with new message ids,
 * extends deadlines by the outage, and sets the etags of the new store.
 * @param elapsedSeconds since the backup
 * @returns the number of due stages
 */
export async function resumeRestoredJobs(
  tx: EntityManager,
  elapsedSeconds: number,
  audio: readonly RestoredAudioEtagChange[],
): Promise<number> {
  await tx.query(
    `UPDATE job SET stored_etag = restored.etag
     FROM unnest($1::text[], $2::text[], $3::text[]) AS restored (key, etag_before, etag)
     WHERE audio_key = restored.key AND stored_etag = restored.etag_before`,
    [audio.map(({ key }) => key), audio.map(({ etagBefore }) => etagBefore), audio.map(({ etag }) => etag)],
  );
  await tx.query(
    `UPDATE job SET deadline_at = deadline_at + make_interval(secs => $1)
     WHERE status = 'processing' AND queued_at IS NOT NULL`,
    [Math.max(0, elapsedSeconds)],
  );
  const stages = await queryRows<DueStage>(
    tx,
    `UPDATE job_stage SET attempts = attempts - (state = 'running')::int, state = 'pending', fence = fence + 1,
       lease_until = NULL, due_at = now()
     WHERE state IN ('pending', 'running')
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
  );
  await enqueueStageMessages(tx, stages);
  return stages.length;
}

/** Queues without a pending stage are absent. Takes one index step for each queue. */
export async function readLongestWaitPerQueue(
  dataSource: DataSource,
): Promise<{ queue: string; seconds: number }[]> {
  return queryRows(
    dataSource,
    `SELECT queue, GREATEST(0, extract(epoch FROM now() - first.due_at))::float8 AS seconds
     FROM unnest($1::text[]) AS given (queue) CROSS JOIN LATERAL (
       SELECT due_at FROM job_stage WHERE state = 'pending' AND job_stage.queue = given.queue ORDER BY due_at LIMIT 1
     ) first`,
    [QUEUE_NAMES],
  );
}
