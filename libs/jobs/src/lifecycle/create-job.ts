import { inTransaction, type JobSource, preparedRows } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { JobOptions } from '../options/job-options.js';
import { enqueueJob } from './enqueue-job.js';

export interface NewJob {
  /** Given where the audio was stored under it before (`audioKeyOf`); without it the job gets a new one. */
  id?: string;
  accountId: string;
  source: JobSource;
  options: JobOptions;
  audioUrl: string | null;
  contentType: string;
  /** The store's multipart upload that takes the audio. */
  uploadId?: string;
  /** Seconds until a pending upload ends; null for a job that waits for no upload. */
  uploadSeconds: number | null;
  deadlineSeconds: number;
}

export interface CreatedJob {
  id: string;
  audioKey: string;
}

const INSERT = {
  name: 'create-job',
  text: `WITH moment AS (
           UPDATE account
           SET last_job_at = GREATEST(date_trunc('microseconds', clock_timestamp()), last_job_at + interval '1 microsecond')
           WHERE id = $2 RETURNING last_job_at
         )
         INSERT INTO job (id, account_id, created_at, source, options, audio_key, audio_url, content_type, upload_expires_at, upload_id)
         SELECT $1, $2, last_job_at, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9
         FROM moment RETURNING id`,
};

/** Object key of a job's audio. */
export function audioKeyOf(jobId: string): string {
  return `audio/${jobId}`;
}

/**
 * Writes the job row. The account's row gives the moment: unique and increasing within the account, to the microsecond.
 * A job by address is queued in the same transaction. Whether the account has credit is asked before.
 * @throws ServiceError `key_invalid` when the account is gone: its keys went with it.
 */
export async function createJob(tx: EntityManager, job: NewJob): Promise<CreatedJob> {
  const id = job.id ?? uuidv7();
  const audioKey = audioKeyOf(id);
  const created = await preparedRows(tx, INSERT, [
    id,
    job.accountId,
    job.source,
    JSON.stringify(job.options),
    audioKey,
    job.audioUrl,
    job.contentType,
    job.uploadSeconds,
    job.uploadId ?? null,
  ]);
  if (created.length === 0) throw new ServiceError('key_invalid');
  if (job.audioUrl !== null) await enqueueJob(tx, id, { deadlineSeconds: job.deadlineSeconds, stored: null });
  return { id, audioKey };
}

/**
 * `createJob` in a transaction of its own, with what else has to be written before it. A job that waits for its upload,
 * with nothing beside it, is a single statement: a round trip instead of three.
 */
export async function createJobAlone(
  dataSource: DataSource,
  job: NewJob,
  before?: (tx: EntityManager) => Promise<void>,
): Promise<CreatedJob> {
  if (before === undefined && job.audioUrl === null) return createJob(dataSource.manager, job);
  return inTransaction(dataSource, async (tx) => {
    await before?.(tx);
    return createJob(tx, job);
  });
}
