import type { JobSource, JobStatus } from '@app/database';
import { queryAccountRows, buildAccountStatement } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { JobMetadata } from '../options/job-metadata.js';
import type { JobOptions } from '../options/job-options.js';
import { COMPLETED_AT_SQL, isoTimestampSql } from './iso-timestamp-sql.js';

/** A job as its account sees it, and what the routes need to act on it. */
export interface JobView {
  id: string;
  status: JobStatus;
  source: JobSource;
  options: JobOptions;
  audioKey: string;
  uploadId: string | null;
  /** Bytes that an upload was declared to have; null where nothing was declared. */
  declaredSize: number | null;
  /** Bytes that each part of a multipart upload but the last must have; null where no size was planned. */
  partSize: number | null;
  queued: boolean;
  /** Number of the newest event. */
  eventSeq: number;
  resultKey: string | null;
  /** `SPEAKER_n` -> name; empty where no speaker has one. */
  speakerNames: Record<string, string>;
  failedStage: string | null;
  reason: string | null;
  /** Empty where the caller gave none. */
  metadata: JobMetadata;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
  /** Seconds of decoded audio; null until it has been decoded. */
  duration: number | null;
}

const SELECT_JOB = buildAccountStatement(
  'job-by-id',
  `SELECT id, status, source, options, audio_key AS "audioKey", upload_id AS "uploadId",
           declared_size AS "declaredSize", part_size AS "partSize",
           queued_at IS NOT NULL AS queued, event_seq AS "eventSeq", result_key AS "resultKey",
           COALESCE(speaker_names, '{}') AS "speakerNames", failed_stage AS "failedStage", reason,
           COALESCE(metadata, '{}') AS metadata, duration, ${isoTimestampSql('created_at')} AS "createdAt",
           ${COMPLETED_AT_SQL} AS "completedAt"
         FROM job WHERE id = $2 AND account_id = $1`,
);

/**
 * @throws ServiceError `job_not_found` for an id that never existed, is no UUID or belongs to another account:
 * the three cannot be told apart.
 */
export async function findJob(dataSource: DataSource, accountId: string, jobId: string): Promise<JobView> {
  if (!isUuid(jobId)) throw jobNotFoundError();
  const [job] = await queryAccountRows<JobView>(dataSource, accountId, SELECT_JOB, [jobId]);
  if (!job) throw jobNotFoundError();
  return job;
}

function jobNotFoundError(): ServiceError {
  return new ServiceError('job_not_found', { detail: 'There is no job with this id in your account.' });
}
