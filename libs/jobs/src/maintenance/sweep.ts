import { inTransaction, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { finishJob } from '../lifecycle/finish-job.js';
import { failedOutcome, serviceFailureOutcome } from '../lifecycle/job-outcome.js';
import { type OutboxMessage, enqueueOutbox } from '../outbox/outbox.js';
import type { StageName } from '../stages/stage-names.js';

const BATCH = 200;

export interface SweepOptions {
  /** Seconds after which a stage that nobody took up is delivered again. */
  redeliverSeconds: number;
  /** Whether stages are taken from holders that fell silent. */
  reclaimsLeases: boolean;
}

export interface ReclaimedStage {
  jobId: string;
  name: StageName;
  /** Starts so far, the one that was abandoned included. */
  attempts: number;
  requestId: string | null;
}

export interface SweepReport {
  /** Stages whose holder fell silent. */
  reclaimed: ReclaimedStage[];
  /** Stages whose delivery seems lost. */
  redelivered: number;
  /** Uploads and jobs that ran out of time. */
  expired: number;
}

/**
 * Looks at rows alone for what is due: the answer to crashed workers, lost queues and callers that went away.
 * Any number of processes may sweep at once; they share the rows by SKIP LOCKED.
 */
export async function sweep(
  dataSource: DataSource,
  effects: JobHooks,
  options: SweepOptions,
): Promise<SweepReport> {
  return {
    reclaimed: options.reclaimsLeases ? await inTransaction(dataSource, reclaimExpiredLeases) : [],
    redelivered: await inTransaction(dataSource, (tx) => redeliverStages(tx, options.redeliverSeconds)),
    expired: await failExpiredJobs(dataSource, effects),
  };
}

async function reclaimExpiredLeases(tx: EntityManager): Promise<ReclaimedStage[]> {
  const stages = await queryRows<OutboxMessage & ReclaimedStage>(
    tx,
    `UPDATE job_stage SET state = 'pending', fence = fence + 1, lease_until = NULL, due_at = now(),
       waiting_since = now(), last_error = 'The worker fell silent.'
     WHERE (job_id, name) IN (
       SELECT job_id, name FROM job_stage WHERE state = 'running' AND lease_until < now()
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence, attempts,
       (SELECT request_id FROM job WHERE id = job_id) AS "requestId"`,
  );
  await enqueueOutbox(tx, stages);
  return stages.map(({ jobId, name, attempts, requestId }) => ({ jobId, name, attempts, requestId }));
}

/**
 * Under the same delivery id: where the queue still has it, adding it again changes nothing. Nothing is lost while
 * the queue takes nothing from the outbox; more of the same would only pile up there.
 */
async function redeliverStages(tx: EntityManager, redeliverSeconds: number): Promise<number> {
  const stages = await queryRows<OutboxMessage>(
    tx,
    `UPDATE job_stage SET due_at = now()
     WHERE (job_id, name) IN (
       SELECT job_id, name FROM job_stage
       WHERE state = 'pending' AND due_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT FROM outbox WHERE outbox.due_at < now() - make_interval(secs => $1))
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
    [redeliverSeconds],
  );
  await enqueueOutbox(tx, stages);
  return stages.length;
}

/** Two questions, each of which an index answers. */
export const SELECT_EXPIRED = `
  (SELECT id, false AS queued FROM job
   WHERE queued_at IS NULL AND status = 'processing' AND upload_expires_at < now()
     AND (upload_session_until IS NULL OR upload_session_until < now())
   ORDER BY upload_expires_at LIMIT ${BATCH})
  UNION ALL
  (SELECT id, true AS queued FROM job
   WHERE status = 'processing' AND deadline_at < now()
   ORDER BY deadline_at LIMIT ${BATCH})`;

/** One that cannot be ended must not keep the others waiting. */
async function failExpiredJobs(dataSource: DataSource, effects: JobHooks): Promise<number> {
  const expired = await queryRows<{ id: string; queued: boolean }>(dataSource, SELECT_EXPIRED);
  const errors: unknown[] = [];
  let ended = 0;
  for (const { id, queued } of expired) {
    try {
      if (await inTransaction(dataSource, (tx) => failIfExpired(tx, effects, id, queued))) ended += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return ended;
}

/** Asks again under the job's lock: a complete call or a ping may have come first. */
async function failIfExpired(
  tx: EntityManager,
  effects: JobHooks,
  id: string,
  queued: boolean,
): Promise<boolean> {
  const still = await queryRows(
    tx,
    `SELECT id FROM job WHERE id = $1 AND (queued_at IS NOT NULL) = $2 AND (queued_at IS NOT NULL
       OR GREATEST(upload_expires_at, upload_session_until) < now()) FOR UPDATE`,
    [id, queued],
  );
  if (still.length === 0) return false;
  const outcome = queued
    ? serviceFailureOutcome(await findOpenStage(tx, id), 'late')
    : failedOutcome('upload', 'The upload was not completed in time.');
  return finishJob(tx, effects, id, outcome);
}

async function findOpenStage(tx: EntityManager, id: string): Promise<string> {
  const [stage] = await queryRows<{ name: string }>(
    tx,
    `SELECT name FROM job_stage WHERE job_id = $1 AND state IN ('pending', 'running') ORDER BY chunk_index LIMIT 1`,
    [id],
  );
  return stage?.name ?? 'preprocess';
}
