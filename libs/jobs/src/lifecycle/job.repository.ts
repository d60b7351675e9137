import { type JobAudioSource, queryPrepared, queryRows } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { INSERT_MESSAGES_OF_ADDED_STAGES_SQL, type OutboxMessage } from '../outbox/outbox.repository.js';
import type { JobMetadata, JobOptions } from '../options/job-options.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import { createJobNotFoundError } from '../reads/job-lookup.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';

export interface NewJob {
  /** Set if the audio is already stored under this id (`buildUploadedAudioKey`). */
  id?: string;
  accountId: string;
  /** Null for a job that a user of the console creates. */
  apiKeyId?: string | null;
  /** User of the console. */
  createdBy?: string | undefined;
  source: JobAudioSource;
  options: JobOptions;
  metadata?: JobMetadata | null;
  audioUrl: string | null;
  contentType: string;
  /** Bytes; a smaller single upload is incomplete. */
  declaredSize?: number;
  uploadId?: string;
  /** Bytes of each part but the last. */
  partSize?: number;
  /** Seconds until the upload expires; null without an upload. */
  uploadSeconds: number | null;
  deadlineSeconds: number;
  /** To find the job in logs. */
  requestId?: string | undefined;
  /** Trace of the request that creates the job; its stages and webhooks belong to it. */
  traceparent?: string | null;
}

const INSERT_JOB = {
  name: 'create-job',
  text: `WITH moment AS (
           UPDATE account
           SET last_job_at = GREATEST(date_trunc('microseconds', clock_timestamp()), last_job_at + interval '1 microsecond')
           WHERE id = $2 RETURNING last_job_at
         ), created AS (
           INSERT INTO job (id, account_id, created_at, source, options, audio_key, audio_url, content_type,
             upload_expires_at, upload_id, declared_size, request_id, api_key_id, metadata, part_size,
             created_by, traceparent)
           SELECT $1, $2, last_job_at, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9, $10, $11, $12, $13, $14, $15, $16
           FROM moment RETURNING id, account_id, created_at, metadata
         ), entries AS (
           INSERT INTO job_metadata (job_id, key, account_id, value, created_at)
           SELECT id, entry.key, account_id, entry.value, created_at
           FROM created CROSS JOIN LATERAL jsonb_each_text(metadata) entry
         )
         SELECT id FROM created`,
};

/** @returns false if the account does not exist */
export async function insertJob(
  db: EntityManager,
  job: NewJob & { id: string; audioKey: string },
): Promise<boolean> {
  const inserted = await queryPrepared(db, INSERT_JOB, [
    job.id,
    job.accountId,
    job.source,
    JSON.stringify(job.options),
    job.audioKey,
    job.audioUrl,
    job.contentType,
    job.uploadSeconds,
    job.uploadId ?? null,
    job.declaredSize ?? null,
    job.requestId ?? null,
    job.apiKeyId ?? null,
    job.metadata ? JSON.stringify(job.metadata) : null,
    job.partSize ?? null,
    job.createdBy ?? null,
    job.traceparent ?? null,
  ]);
  return inserted.length === 1;
}

export interface EnqueueOptions {
  deadlineSeconds: number;
  /** Null for a job with an audio URL. */
  storedObject: { size: number; etag: string } | null;
  /** An account: only its job is queued, if it waits for a single upload of exactly the stored size. */
  ifUploadedBy?: string;
}

/**
 * The first stage is `fetch` if the audio is not stored yet, and has the rank that `addOrRestartStages` would give it: right after
 * the lowest waiting one.
 */
const QUEUE_JOB = {
  name: 'queue-job',
  text: `
    WITH queued AS (
      UPDATE job SET queued_at = GREATEST(now(), created_at), deadline_at = now() + make_interval(secs => $2),
        stored_size = $3, stored_etag = $4
      WHERE id = $1 AND queued_at IS NULL AND status = 'processing'
        AND ($5::uuid IS NULL OR account_id = $5 AND source = 'upload' AND declared_size = $3)
      RETURNING id, account_id, traceparent, CASE WHEN stored_size IS NULL THEN 'fetch' ELSE 'preprocess' END AS stage
    ), added AS (
      INSERT INTO job_stage (job_id, account_id, name, queue, place)
      SELECT id, account_id, stage, stage, 1 + COALESCE(
        (SELECT place FROM job_stage waiting
         WHERE state = 'pending' AND queue = queued.stage AND waiting.account_id = queued.account_id AND due_at <= now()
         ORDER BY place LIMIT 1), 0)
      FROM queued
      RETURNING job_id, name, queue, chunk_index, fence
    )
    ${INSERT_MESSAGES_OF_ADDED_STAGES_SQL}, (SELECT traceparent FROM queued) AS traceparent`,
};

export interface FirstStageMessage extends OutboxMessage {
  /** Trace of the request that created the job. */
  traceparent: string | null;
}

/**
 * One statement, which needs no transaction.
 * @returns the message, for `OutboxRelay.send`; undefined, without a change, if the job was already queued or has ended
 */
export async function markJobQueuedAndInsertFirstStage(
  db: EntityManager,
  jobId: string,
  { deadlineSeconds, storedObject, ifUploadedBy }: EnqueueOptions,
): Promise<FirstStageMessage | undefined> {
  const [message] = await queryPrepared<FirstStageMessage>(db, QUEUE_JOB, [
    jobId,
    deadlineSeconds,
    storedObject?.size ?? null,
    storedObject?.etag ?? null,
    ifUploadedBy ?? null,
  ]);
  return message;
}

/** For how long a ping keeps an upload open. */
export const UPLOAD_SESSION_SECONDS = 15;

/**
 * @param lifetimeSeconds after the creation of the job, beyond which no session lasts
 * @returns false if the upload is no longer pending
 */
export async function extendUploadSession(
  db: DataSource | EntityManager,
  jobId: string,
  lifetimeSeconds: number,
): Promise<boolean> {
  const renewed = await queryRows(
    db,
    `UPDATE job SET upload_session_until =
       LEAST(now() + make_interval(secs => $2), created_at + make_interval(secs => $3))
     WHERE id = $1 AND queued_at IS NULL AND status = 'processing' RETURNING id`,
    [jobId, UPLOAD_SESSION_SECONDS, lifetimeSeconds],
  );
  return renewed.length === 1;
}

/** @throws LeaseLostError if another worker has the stage, whose audio then counts */
export async function recordFetchedAudio(
  db: DataSource | EntityManager,
  { jobId, name, fence }: ClaimedStage,
  { key, size, etag }: { key: string; size: number; etag: string },
): Promise<void> {
  const recorded = await queryRows(
    db,
    `UPDATE job SET audio_key = $4, stored_size = $5, stored_etag = $6
     FROM job_stage stage
     WHERE job.id = $1 AND job.status = 'processing' AND stage.job_id = job.id
       AND stage.name = $2 AND stage.fence = $3 AND stage.state = 'running' RETURNING job.id`,
    [jobId, name, fence, key, size, etag],
  );
  if (recorded.length === 0) throw new LeaseLostError(`${name} of ${jobId} is leased by another worker`);
}

/** Every change of a job takes this lock first. */
export async function lockJobRow(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query('SELECT 1 FROM job WHERE id = $1 FOR UPDATE', [jobId]);
}

/** @returns false if the job was queued or has ended */
export async function lockPendingUpload(tx: EntityManager, jobId: string): Promise<boolean> {
  const pending = await queryRows(
    tx,
    `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing' FOR UPDATE`,
    [jobId],
  );
  return pending.length === 1;
}

/**
 * What is written about the transcript in this transaction is deleted with it, because the deletion waits.
 * @throws ServiceError `job_not_found`, `transcript_deleted`
 */
export async function lockJobWithTranscript(tx: EntityManager, jobId: string): Promise<void> {
  const [job] = await queryRows<{ hasTranscript: boolean }>(
    tx,
    'SELECT result_key IS NOT NULL AS "hasTranscript" FROM job WHERE id = $1 FOR NO KEY UPDATE',
    [jobId],
  );
  if (!job) throw createJobNotFoundError();
  if (!job.hasTranscript) throw new ServiceError('transcript_deleted');
}

/**
 * Also sets the number of steps to that of the completed ones.
 * @returns undefined, without a change, if the job has ended or is leased
 */
export async function setJobTotalsUnlessLeased(
  tx: EntityManager,
  jobId: string,
  duration: number,
): Promise<{ accountId: string; seconds: number } | undefined> {
  const [job] = await queryRows<{ accountId: string; seconds: number }>(
    tx,
    `UPDATE job SET duration = COALESCE(duration, $2), steps_total = steps_done
     WHERE id = $1 AND status = 'processing' AND queued_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM job_stage WHERE job_id = $1 AND state = 'running' AND lease_until > now())
     RETURNING account_id AS "accountId", duration AS seconds`,
    [jobId, duration],
  );
  return job;
}

/** Merges under the row lock, so concurrent changes to other labels are kept. */
const MERGE_SPEAKER_NAMES = `
  UPDATE job SET speaker_names = jsonb_strip_nulls(COALESCE(speaker_names, '{}') || $2::jsonb)
  WHERE id = $1 AND status = 'completed' AND result_key IS NOT NULL
  RETURNING speaker_names AS names`;

/**
 * @param changes name by speaker label, validated by the caller; `null` removes a name
 * @returns all names; null if the job does not exist or has no transcript
 */
export async function mergeSpeakerNames(
  db: DataSource | EntityManager,
  jobId: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<Record<string, string> | null> {
  const [row] = await queryRows<{ names: Record<string, string> }>(db, MERGE_SPEAKER_NAMES, [
    jobId,
    JSON.stringify(changes),
  ]);
  return row?.names ?? null;
}
