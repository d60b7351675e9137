import {
  buildAccountScopedQuery,
  type JobAudioSource,
  type JobStatus,
  queryAccountRows,
  queryRows,
  queryPrepared,
} from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { JobMetadata, JobOptions } from '../options/job-options.js';

/**
 * `YYYY-MM-DDTHH:MM:SS.ffffffZ`. A Date would lose the microseconds, and jobs at the edge of a page.
 * @param column of the type `timestamptz`
 */
export function buildIsoTimestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Null in any other status. */
export const COMPLETED_AT_SQL = `CASE WHEN status = 'completed' THEN ${buildIsoTimestampSql('finished_at')} END`;

/** Fields that the routes need. */
export interface JobForApiRoutes {
  id: string;
  status: JobStatus;
  source: JobAudioSource;
  options: JobOptions;
  audioKey: string;
  uploadId: string | null;
  /** Bytes; null if not declared. */
  declaredSize: number | null;
  /** Bytes of each part of a multipart upload but the last; null if not planned. */
  partSize: number | null;
  queued: boolean;
  /** Number of the newest event. */
  eventSeq: number;
  resultKey: string | null;
  speakerNames: Record<string, string>;
  failedStage: string | null;
  reason: string | null;
  metadata: JobMetadata;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
  /** Seconds; null until decoded. */
  duration: number | null;
  /** Trace of the request that created the job. */
  traceparent: string | null;
}

const SELECT_JOB = buildAccountScopedQuery(
  'job-by-id',
  `SELECT id, status, source, options, audio_key AS "audioKey", upload_id AS "uploadId",
           declared_size AS "declaredSize", part_size AS "partSize",
           queued_at IS NOT NULL AS queued, event_seq AS "eventSeq", result_key AS "resultKey",
           COALESCE(speaker_names, '{}') AS "speakerNames", failed_stage AS "failedStage", reason,
           COALESCE(metadata, '{}') AS metadata, duration, traceparent, ${buildIsoTimestampSql('created_at')} AS "createdAt",
           ${COMPLETED_AT_SQL} AS "completedAt"
         FROM job WHERE id = $2 AND account_id = $1`,
);

/** @throws ServiceError `job_not_found` for an unknown id, a malformed one and one of another account */
export async function getJob(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
): Promise<JobForApiRoutes> {
  if (!isUuid(jobId)) throw createJobNotFoundError();
  const [job] = await queryAccountRows<JobForApiRoutes>(dataSource, accountId, SELECT_JOB, [jobId]);
  if (!job) throw createJobNotFoundError();
  return job;
}

export function createJobNotFoundError(): ServiceError {
  return new ServiceError('job_not_found', { detail: 'There is no job with this id in your account.' });
}

const SELECT_FAILED = buildAccountScopedQuery(
  'jobs-failed',
  `SELECT COALESCE(job.status = 'failed', false) AS failed
         FROM unnest($2::uuid[]) WITH ORDINALITY AS requested (id, ordinal)
         LEFT JOIN job ON job.id = requested.id AND job.account_id = $1
         ORDER BY ordinal`,
);

/** In the order of the ids. @param jobIds UUIDs; false for an id of no job of the account */
export async function readJobFailedFlags(
  dataSource: DataSource,
  accountId: string,
  jobIds: readonly string[],
): Promise<boolean[]> {
  const rows = await queryAccountRows<{ failed: boolean }>(dataSource, accountId, SELECT_FAILED, [jobIds]);
  return rows.map(({ failed }) => failed);
}

/** Finds jobs of any account. */
export async function findExistingJobIds(
  dataSource: DataSource,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ id: string }>(dataSource, 'SELECT id FROM job WHERE id = ANY($1::uuid[])', [
    [...new Set(ids)],
  ]);
  return new Set(rows.map(({ id }) => id));
}

const SELECT_PENDING_UPLOAD = {
  name: 'upload-pending',
  text: `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing'`,
};
const SELECT_UPLOADING_JOB = {
  name: 'upload-owner-and-trace',
  text: 'SELECT id, account_id AS "accountId", traceparent FROM job WHERE id = $1',
};

/** Looks at the jobs of any account: for holders of a signed URL. */
export async function isUploadPendingForSignedUrl({ manager }: DataSource, jobId: string): Promise<boolean> {
  return (await queryPrepared(manager, SELECT_PENDING_UPLOAD, [jobId])).length === 1;
}

/** What a request with a signed URL for an upload needs. */
export type JobAccountAndTraceparent = Pick<JobForApiRoutes, 'id' | 'traceparent'> & { accountId: string };

/** Finds a job of any account. @returns undefined for a deleted job */
export async function findJobAccountAndTraceparent(
  { manager }: DataSource,
  jobId: string,
): Promise<JobAccountAndTraceparent | undefined> {
  const [job] = await queryPrepared<JobAccountAndTraceparent>(manager, SELECT_UPLOADING_JOB, [jobId]);
  return job;
}

export type JobForSignedDownload = Pick<
  JobForApiRoutes,
  'id' | 'status' | 'resultKey' | 'options' | 'speakerNames' | 'failedStage' | 'reason' | 'traceparent'
> & { accountId: string };

/** Finds a job of any account: for holders of a signed URL. */
export async function findJobForSignedDownload(
  dataSource: DataSource,
  jobId: string,
): Promise<JobForSignedDownload | undefined> {
  const [job] = await queryRows<JobForSignedDownload>(
    dataSource,
    `SELECT id, account_id AS "accountId", status, result_key AS "resultKey", options, COALESCE(speaker_names, '{}') AS "speakerNames",
       failed_stage AS "failedStage", reason, traceparent
     FROM job WHERE id = $1`,
    [jobId],
  );
  return job;
}

/** Counts the jobs of all accounts. Each count reads an index only. */
export async function countAllUploadingAndQueuedJobs(
  dataSource: DataSource,
): Promise<{ uploading: number; queued: number }> {
  const [counts] = await queryRows<{ uploading: number; queued: number }>(
    dataSource,
    `SELECT
       (SELECT count(*) FROM job WHERE queued_at IS NULL AND status = 'processing' AND upload_expires_at IS NOT NULL) AS uploading,
       (SELECT count(*) FROM job WHERE status = 'processing' AND deadline_at IS NOT NULL) AS queued`,
  );
  return counts ?? { uploading: 0, queued: 0 };
}
