import { Job, type JobEvent, type JobStatus, queryRows } from '@app/database';
import { buildIsoTimestampSql } from '@app/jobs';
import type { DataSource } from 'typeorm';

export interface JobRow {
  job_id: string;
  account_id: string;
  status: JobStatus;
  source: string;
  created_at: string;
  queued_at: string | null;
  finished_at: string | null;
  duration: number | null;
  steps_done: number;
  steps_total: number | null;
  failed_stage: string | null;
  reason: string | null;
}

export interface StageRow {
  name: string;
  state: string;
  attempts: number;
  crashes: number;
  fence: number;
  lease_until: string | null;
  last_error: string | null;
}

export interface JobFilter {
  status?: JobStatus | undefined;
  accountId?: string | undefined;
  limit: number;
}

const SELECT_JOBS = `
  SELECT id AS job_id, account_id, status, source, ${buildIsoTimestampSql('created_at')} AS created_at,
         ${buildIsoTimestampSql('queued_at')} AS queued_at, ${buildIsoTimestampSql('finished_at')} AS finished_at,
         duration, steps_done, steps_total, failed_stage, reason
  FROM job`;

/** Newest first: ids are in the order of creation, and their index avoids sorting all jobs. */
export function listJobs(dataSource: DataSource, { status, accountId, limit }: JobFilter): Promise<JobRow[]> {
  return queryRows<JobRow>(
    dataSource,
    `${SELECT_JOBS} WHERE ($1::text IS NULL OR status = $1) AND ($2::uuid IS NULL OR account_id = $2)
     ORDER BY id DESC LIMIT $3`,
    [status ?? null, accountId ?? null, limit],
  );
}

export async function findJob(dataSource: DataSource, jobId: string): Promise<JobRow | undefined> {
  const [row] = await queryRows<JobRow>(dataSource, `${SELECT_JOBS} WHERE id = $1`, [jobId]);
  return row;
}

/** The stages of a job in the order in which they run. */
export function listJobStages(dataSource: DataSource, jobId: string): Promise<StageRow[]> {
  return queryRows<StageRow>(
    dataSource,
    `SELECT name, state, attempts, crashes, fence, ${buildIsoTimestampSql('lease_until')} AS lease_until, last_error FROM job_stage
     WHERE job_id = $1 ORDER BY queue = 'aggregation', queue = 'chunk', chunk_index`,
    [jobId],
  );
}

export function listJobEvents(
  dataSource: DataSource,
  jobId: string,
): Promise<Pick<JobEvent, 'seq' | 'type' | 'data'>[]> {
  return queryRows(dataSource, 'SELECT seq, type, data FROM job_event WHERE job_id = $1 ORDER BY seq', [
    jobId,
  ]);
}

export async function findOpenJobIdsOfAccount(dataSource: DataSource, accountId: string): Promise<string[]> {
  const jobs = await dataSource.manager.find(Job, {
    select: { id: true },
    where: { accountId, status: 'processing' },
    order: { id: 'ASC' },
  });
  return jobs.map(({ id }) => id);
}
