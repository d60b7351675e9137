import {
  type AccountScopedQuery,
  buildAccountScopedQuery,
  type JobEventType,
  type JobAudioSource,
  type JobStatus,
  type MemberIdentity,
  buildMemberAsJsonSql,
  queryAccountRows,
} from '@app/database';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { JobMetadata, JobOptions, OutputType } from '../options/job-options.js';
import { COMPLETED_AT_SQL, buildIsoTimestampSql, createJobNotFoundError } from './job-lookup.repository.js';

/** A job as people see it in a list. */
export interface ConsoleJobSummary {
  id: string;
  status: JobStatus;
  source: JobAudioSource;
  metadata: JobMetadata;
  outputType: OutputType;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
  /** Seconds; null until decoded. */
  duration: number | null;
  /** Null for a job that was created without a key. */
  key: { id: string; name: string } | null;
  /** Who created it in the console; null for any other job. */
  creator: MemberIdentity | null;
  failedStage: string | null;
  reason: string | null;
  stepsDone: number;
  /** Null until chunking has ended. */
  stepsTotal: number | null;
  isTranscriptAvailable: boolean;
}

export interface ConsoleJobFilter {
  status: JobStatus | null;
  /** In a value of the metadata, or at the start of the id; any case. */
  text: string | null;
  keyId: string | null;
  /** Microseconds since 1970, inclusive. */
  createdAfter: bigint | null;
  /** Microseconds since 1970, exclusive. */
  createdBefore: bigint | null;
}

const OVERVIEW_COLUMNS = `job.id, job.status, job.source, COALESCE(job.metadata, '{}') AS metadata,
  job.options->>'output_type' AS "outputType", job.duration, job.failed_stage AS "failedStage", job.reason,
  job.steps_done AS "stepsDone", job.steps_total AS "stepsTotal",
  job.result_key IS NOT NULL AS "isTranscriptAvailable", ${buildIsoTimestampSql('job.created_at')} AS "createdAt",
  ${COMPLETED_AT_SQL} AS "completedAt",
  CASE WHEN job.api_key_id IS NOT NULL
    THEN json_build_object('id', job.api_key_id, 'name', COALESCE(api_key.name, job.api_key_id)) END AS key,
  ${buildMemberAsJsonSql('job.created_by', 'creator')} AS creator`;

const CREATOR_JOINS = `LEFT JOIN api_key ON api_key.id = job.api_key_id
  LEFT JOIN app_user creator ON creator.id = job.created_by`;

const MICROSECONDS_TO_TIME = `timestamptz 'epoch' + interval '1 microsecond' *`;

/**
 * Exact conditions are part of the text, so that the plan reads along `job_account_status` or `job_key_created`. The
 * page is limited before it is joined.
 */
function buildListQuery(isByStatus: boolean, isByKey: boolean): AccountScopedQuery {
  return buildAccountScopedQuery(
    `job-summaries${isByStatus ? '-by-status' : ''}${isByKey ? '-by-key' : ''}`,
    `SELECT ${OVERVIEW_COLUMNS} FROM (
       SELECT job.* FROM job
       WHERE job.account_id = $1
         AND job.created_at < COALESCE(${MICROSECONDS_TO_TIME} $2::bigint, 'infinity')
         AND job.created_at >= COALESCE(${MICROSECONDS_TO_TIME} $3::bigint, '-infinity')
         AND ($5::text IS NULL OR starts_with(job.id::text, lower($5)) OR EXISTS (
           SELECT FROM jsonb_each_text(job.metadata) entry WHERE strpos(lower(entry.value), lower($5)) > 0))
         AND ${isByStatus ? 'job.status = $6' : '$6::text IS NULL'}
         AND ${isByKey ? 'job.api_key_id = $7' : '$7::text IS NULL'}
       ORDER BY job.created_at DESC LIMIT $4
     ) job
     ${CREATOR_JOINS}
     ORDER BY job.created_at DESC`,
  );
}

const LIST_QUERIES = {
  any: buildListQuery(false, false),
  status: buildListQuery(true, false),
  key: buildListQuery(false, true),
  both: buildListQuery(true, true),
};

/** Newest first. */
export async function listConsoleJobSummaries(
  dataSource: DataSource,
  accountId: string,
  { status, text, keyId, createdAfter, createdBefore }: ConsoleJobFilter,
  limit: number,
): Promise<ConsoleJobSummary[]> {
  const exact = status === null ? (keyId === null ? 'any' : 'key') : keyId === null ? 'status' : 'both';
  return queryAccountRows<ConsoleJobSummary>(dataSource, accountId, LIST_QUERIES[exact], [
    createdBefore?.toString() ?? null,
    createdAfter?.toString() ?? null,
    limit,
    text,
    status,
    keyId,
  ]);
}

export interface ConsoleJobWithDetailsAndEvents extends ConsoleJobSummary {
  options: JobOptions;
  requestId: string | null;
  traceparent: string | null;
  queuedAt: Date | null;
  finishedAt: Date | null;
  audioDeletedAt: Date | null;
  /** Chosen by the account; null for the operator's setting alone. */
  retentionDays: number | null;
  /** Credits charged; null until the job has ended. */
  charged: number | null;
  events: { seq: number; type: JobEventType; at: string; data: Record<string, unknown> }[];
}

const SELECT_DETAILS = buildAccountScopedQuery(
  'job-details',
  `SELECT ${OVERVIEW_COLUMNS}, job.options, job.request_id AS "requestId", job.traceparent,
     job.queued_at AS "queuedAt", job.finished_at AS "finishedAt", job.audio_deleted_at AS "audioDeletedAt",
     (SELECT transcript_retention_days FROM account WHERE account.id = $1) AS "retentionDays",
     CASE WHEN job.status <> 'processing' THEN (
       SELECT COALESCE(-sum(entry.amount), 0)::bigint FROM credit_entry entry
       WHERE entry.job_id = job.id AND entry.kind = 'capture') END AS charged,
     (SELECT COALESCE(json_agg(json_build_object(
         'seq', event.seq, 'type', event.type, 'at', ${buildIsoTimestampSql('event.created_at')}, 'data', event.data
       ) ORDER BY event.seq), '[]') FROM job_event event WHERE event.job_id = job.id) AS events
   FROM job ${CREATOR_JOINS}
   WHERE job.id = $2 AND job.account_id = $1`,
);

/** @throws ServiceError `job_not_found` for an unknown id, a malformed one and one of another account */
export async function getConsoleJobWithDetailsAndEvents(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
): Promise<ConsoleJobWithDetailsAndEvents> {
  if (!isUuid(jobId)) throw createJobNotFoundError();
  const [job] = await queryAccountRows<ConsoleJobWithDetailsAndEvents>(
    dataSource,
    accountId,
    SELECT_DETAILS,
    [jobId],
  );
  if (!job) throw createJobNotFoundError();
  return job;
}
