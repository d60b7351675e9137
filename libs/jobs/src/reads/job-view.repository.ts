import {
  buildAccountStatement,
  type JobSource,
  type JobStatus,
  queryAccountRows,
  queryRows,
  queryPrepared,
} from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { JobMetadata } from '../options/job-metadata.js';
import type { JobOptions } from '../options/job-options.js';

/**
 * SQL of a time as text `YYYY-MM-DDTHH:MM:SS.ffffffZ`. A Date would lose the microseconds, and jobs at the edge of
 * a page with them.
 * @param column of the type `timestamptz`
 */
export function isoTimestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Time of completion; null in any other status. */
export const COMPLETED_AT_SQL = `CASE WHEN status = 'completed' THEN ${isoTimestampSql('finished_at')} END`;

/** A job as its account sees it, with the fields that the routes need. */
export interface JobView {
  id: string;
  status: JobStatus;
  source: JobSource;
  options: JobOptions;
  audioKey: string;
  uploadId: string | null;
  /** Declared size of the upload in bytes; null if not declared. */
  declaredSize: number | null;
  /** Size in bytes of each part of a multipart upload but the last; null if not planned. */
  partSize: number | null;
  queued: boolean;
  /** Number of the newest event. */
  eventSeq: number;
  resultKey: string | null;
  /** `SPEAKER_n` -> name; empty if no speaker has a name. */
  speakerNames: Record<string, string>;
  failedStage: string | null;
  reason: string | null;
  /** Empty if the caller gave none. */
  metadata: JobMetadata;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
  /** Duration of the decoded audio in seconds; null until it is decoded. */
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
 * @throws ServiceError `job_not_found` alike for an unknown id, a malformed one and one of another account
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

const SELECT_FAILED = buildAccountStatement(
  'jobs-failed',
  `SELECT COALESCE(job.status = 'failed', false) AS failed
         FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
         LEFT JOIN job ON job.id = asked.id AND job.account_id = $1
         ORDER BY place`,
);

/**
 * Whether each job has failed, in the order of the ids.
 * @param jobIds UUIDs; false for an id of no job of the account
 */
export async function haveJobsFailed(
  dataSource: DataSource,
  accountId: string,
  jobIds: readonly string[],
): Promise<boolean[]> {
  const rows = await queryAccountRows<{ failed: boolean }>(dataSource, accountId, SELECT_FAILED, [jobIds]);
  return rows.map(({ failed }) => failed);
}

/** The ids of existing jobs, in any status. */
export async function findExistingJobIds(
  dataSource: DataSource,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ id: string }>(dataSource, 'SELECT id FROM job WHERE id = ANY($1::uuid[])', [
    [...new Set(ids)],
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Declared and actual sizes of the audio of a job. */
export interface DeclaredSizes {
  /** `file_size` of the upload; null if not declared. */
  declaredSize: number | null;
  /** Bytes. */
  storedSize: number | null;
  /** Declared duration in seconds if clearly less could be decoded, else null. */
  declaredSeconds: number | null;
}

/** Call it after chunking. */
export async function readDeclaredSizes(dataSource: DataSource, jobId: string): Promise<DeclaredSizes> {
  const [row] = await queryRows<DeclaredSizes>(
    dataSource,
    `SELECT declared_size AS "declaredSize", stored_size AS "storedSize",
       (stage.result->>'declaredSeconds')::float8 AS "declaredSeconds"
     FROM job LEFT JOIN job_stage stage ON stage.job_id = job.id AND stage.name = 'preprocess' WHERE job.id = $1`,
    [jobId],
  );
  return row ?? { declaredSize: null, storedSize: null, declaredSeconds: null };
}

const SELECT_PENDING_UPLOAD = {
  name: 'upload-pending',
  text: `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing'`,
};
const SELECT_ACCOUNT_OF_JOB = {
  name: 'upload-owner',
  text: 'SELECT account_id AS "accountId" FROM job WHERE id = $1',
};

/** Of any account: for holders of a signed URL. */
export async function isUploadPending({ manager }: DataSource, jobId: string): Promise<boolean> {
  return (await queryPrepared(manager, SELECT_PENDING_UPLOAD, [jobId])).length === 1;
}

/** @returns undefined for a job that is gone */
export async function findAccountOfJob({ manager }: DataSource, jobId: string): Promise<string | undefined> {
  const [job] = await queryPrepared<{ accountId: string }>(manager, SELECT_ACCOUNT_OF_JOB, [jobId]);
  return job?.accountId;
}

export type JobResult = Pick<
  JobView,
  'id' | 'status' | 'resultKey' | 'options' | 'speakerNames' | 'failedStage' | 'reason'
>;

/** Of any account: for holders of a signed URL. */
export async function findJobResult(dataSource: DataSource, jobId: string): Promise<JobResult | undefined> {
  const [job] = await queryRows<JobResult>(
    dataSource,
    `SELECT id, status, result_key AS "resultKey", options, COALESCE(speaker_names, '{}') AS "speakerNames",
       failed_stage AS "failedStage", reason
     FROM job WHERE id = $1`,
    [jobId],
  );
  return job;
}

/** Open jobs of all accounts: those that wait for their upload, and the others. */
export async function countOpenJobs(dataSource: DataSource): Promise<{ uploading: number; queued: number }> {
  const [counts] = await queryRows<{ uploading: number; queued: number }>(
    dataSource,
    `SELECT count(*) FILTER (WHERE queued_at IS NULL) AS uploading, count(queued_at) AS queued
     FROM job WHERE status = 'processing'`,
  );
  return counts ?? { uploading: 0, queued: 0 };
}
