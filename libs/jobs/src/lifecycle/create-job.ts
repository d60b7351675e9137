import { inTransaction, type JobSource, queryPrepared } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { JobMetadata } from '../options/job-metadata.js';
import type { JobOptions } from '../options/job-options.js';
import { enqueueJob } from './enqueue-job.js';

export interface NewJob {
  /** Given where the audio was stored under it before (`buildAudioKey`); without it the job gets a new one. */
  id?: string;
  accountId: string;
  /** The key of the request that creates it. */
  apiKeyId?: string;
  source: JobSource;
  options: JobOptions;
  metadata?: JobMetadata | null;
  audioUrl: string | null;
  contentType: string;
  /** Bytes that an upload was declared to have; a single upload is not complete with fewer. */
  declaredSize?: number;
  /** The store's multipart upload that takes the audio. */
  uploadId?: string;
  /** Bytes that each part of it but the last must have. */
  partSize?: number;
  /** Seconds until a pending upload ends; null for a job that waits for no upload. */
  uploadSeconds: number | null;
  deadlineSeconds: number;
  /** Of the request that creates it, for whoever follows it through logs. */
  requestId?: string | undefined;
}

export interface CreatedJob {
  id: string;
  audioKey: string;
}

const INSERT_JOB = {
  name: 'create-job',
  text: `WITH moment AS (
           UPDATE account
           SET last_job_at = GREATEST(date_trunc('microseconds', clock_timestamp()), last_job_at + interval '1 microsecond')
           WHERE id = $2 RETURNING last_job_at
         ), created AS (
           INSERT INTO job (id, account_id, created_at, source, options, audio_key, audio_url, content_type,
             upload_expires_at, upload_id, declared_size, request_id, api_key_id, metadata, part_size)
           SELECT $1, $2, last_job_at, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9, $10, $11, $12, $13, $14
           FROM moment RETURNING id, account_id, created_at, metadata
         ), entries AS (
           INSERT INTO job_metadata (job_id, key, account_id, value, created_at)
           SELECT id, entry.key, account_id, entry.value, created_at
           FROM created CROSS JOIN LATERAL jsonb_each_text(metadata) entry
         )
         SELECT id FROM created`,
};

/** Object key of a job's audio. */
export function buildAudioKey(jobId: string): string {
  return `audio/${jobId}`;
}

/**
 * Writes the job row. The account's row gives the moment: unique and increasing within the account, to the microsecond.
 * A job by address is queued in the same transaction. Whether the account has credit is asked before.
 * @throws ServiceError `invalid_api_key` when the account is gone: its keys went with it.
 */
export async function createJob(tx: EntityManager, job: NewJob): Promise<CreatedJob> {
  const id = job.id ?? uuidv7();
  const audioKey = buildAudioKey(id);
  const created = await queryPrepared(tx, INSERT_JOB, [
    id,
    job.accountId,
    job.source,
    JSON.stringify(job.options),
    audioKey,
    job.audioUrl,
    job.contentType,
    job.uploadSeconds,
    job.uploadId ?? null,
    job.declaredSize ?? null,
    job.requestId ?? null,
    job.apiKeyId ?? null,
    job.metadata ? JSON.stringify(job.metadata) : null,
    job.partSize ?? null,
  ]);
  if (created.length === 0) throw new ServiceError('invalid_api_key');
  if (job.audioUrl !== null)
    await enqueueJob(tx, id, { deadlineSeconds: job.deadlineSeconds, storedObject: null });
  return { id, audioKey };
}

/**
 * `createJob` in a transaction of its own, with what else has to be written before it. A job that waits for its upload,
 * with nothing beside it, is a single statement: a round trip instead of three.
 */
export async function createJobInTransaction(
  dataSource: DataSource,
  job: NewJob,
  beforeCreate?: (tx: EntityManager) => Promise<void>,
): Promise<CreatedJob> {
  if (beforeCreate === undefined && job.audioUrl === null) return createJob(dataSource.manager, job);
  return inTransaction(dataSource, async (tx) => {
    await beforeCreate?.(tx);
    return createJob(tx, job);
  });
}
