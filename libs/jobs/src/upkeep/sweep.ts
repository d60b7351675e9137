import { inTransaction, rowsOf } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobEffects } from '../lifecycle/effects.js';
import { finishJob } from '../lifecycle/finish-job.js';
import { failed, givenUp } from '../lifecycle/outcome.js';
import { type OwedStage, owe } from '../outbox/outbox.js';
import type { StageName } from '../stages/stage-names.js';

const BATCH = 200;

export interface SweepOptions {
  /** Seconds after which a stage that nobody took up is delivered again. */
  redeliverSeconds: number;
  /** Whether stages are taken from holders that fell silent. */
  revives: boolean;
}

export interface AbandonedStage {
  jobId: string;
  name: StageName;
  /** Starts so far, the one that was abandoned included. */
  attempts: number;
  requestId: string | null;
}

export interface SweepReport {
  /** Stages whose holder fell silent. */
  abandoned: AbandonedStage[];
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
  effects: JobEffects,
  options: SweepOptions,
): Promise<SweepReport> {
  return {
    abandoned: options.revives ? await inTransaction(dataSource, reviveAbandoned) : [],
    redelivered: await inTransaction(dataSource, (tx) => redeliver(tx, options.redeliverSeconds)),
    expired: await endExpired(dataSource, effects),
  };
}

async function reviveAbandoned(tx: EntityManager): Promise<AbandonedStage[]> {
  const stages = await rowsOf<OwedStage & AbandonedStage>(
    tx,
    `UPDATE job_stage SET state = 'pending', fence = fence + 1, lease_until = NULL, due_at = now(),
       waiting_since = now(), last_error = 'The worker fell silent.'
     WHERE (job_id, name) IN (
       SELECT job_id, name FROM job_stage WHERE state = 'running' AND lease_until < now()
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence, attempts,
       (SELECT request_id FROM job WHERE id = job_id) AS "requestId"`,
  );
  await owe(tx, stages);
  return stages.map(({ jobId, name, attempts, requestId }) => ({ jobId, name, attempts, requestId }));
}

/**
 * Under the same delivery id: where the queue still has it, adding it again changes nothing. Nothing is lost while
 * the queue takes nothing from the outbox; more of the same would only pile up there.
 */
async function redeliver(tx: EntityManager, redeliverSeconds: number): Promise<number> {
  const stages = await rowsOf<OwedStage>(
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
  await owe(tx, stages);
  return stages.length;
}

/** Two questions, each of which an index answers. */
export const EXPIRED = `
  (SELECT id, false AS queued FROM job
   WHERE queued_at IS NULL AND status = 'processing' AND upload_expires_at < now()
     AND (upload_session_until IS NULL OR upload_session_until < now())
   ORDER BY upload_expires_at LIMIT ${BATCH})
  UNION ALL
  (SELECT id, true AS queued FROM job
   WHERE status = 'processing' AND deadline_at < now()
   ORDER BY deadline_at LIMIT ${BATCH})`;

/** One that cannot be ended must not keep the others waiting. */
async function endExpired(dataSource: DataSource, effects: JobEffects): Promise<number> {
  const late = await rowsOf<{ id: string; queued: boolean }>(dataSource, EXPIRED);
  const troubles: unknown[] = [];
  let ended = 0;
  for (const { id, queued } of late) {
    try {
      if (await inTransaction(dataSource, (tx) => expire(tx, effects, id, queued))) ended += 1;
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
  return ended;
}

/** Asks again under the job's lock: a complete call or a ping may have come first. */
async function expire(tx: EntityManager, effects: JobEffects, id: string, queued: boolean): Promise<boolean> {
  const still = await rowsOf(
    tx,
    `SELECT id FROM job WHERE id = $1 AND (queued_at IS NOT NULL) = $2 AND (queued_at IS NOT NULL
       OR GREATEST(upload_expires_at, upload_session_until) < now()) FOR UPDATE`,
    [id, queued],
  );
  if (still.length === 0) return false;
  const outcome = queued
    ? givenUp(await openStage(tx, id), 'late')
    : failed('upload', 'The upload was not completed in time.');
  return finishJob(tx, effects, id, outcome);
}

async function openStage(tx: EntityManager, id: string): Promise<string> {
  const [stage] = await rowsOf<{ name: string }>(
    tx,
    `SELECT name FROM job_stage WHERE job_id = $1 AND state IN ('pending', 'running') ORDER BY chunk_index LIMIT 1`,
    [id],
  );
  return stage?.name ?? 'preprocess';
}
