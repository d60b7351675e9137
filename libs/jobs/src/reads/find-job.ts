import type { JobSource, JobStatus } from '@app/database';
import { tenantRows, tenantStatement } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { JobOptions } from '../options/job-options.js';

/** A job as its account sees it, and what the routes need to act on it. */
export interface JobView {
  id: string;
  status: JobStatus;
  source: JobSource;
  options: JobOptions;
  audioKey: string;
  uploadId: string | null;
  queued: boolean;
  /** Number of the newest event. */
  eventSeq: number;
  resultKey: string | null;
  /** `SPEAKER_n` -> name; empty where no speaker has one. */
  speakerNames: Record<string, string>;
  failedStage: string | null;
  reason: string | null;
}

const BY_ID = tenantStatement(
  'job-by-id',
  `SELECT id, status, source, options, audio_key AS "audioKey", upload_id AS "uploadId",
           queued_at IS NOT NULL AS queued, event_seq AS "eventSeq", result_key AS "resultKey",
           COALESCE(speaker_names, '{}') AS "speakerNames", failed_stage AS "failedStage", reason
         FROM job WHERE id = $2 AND account_id = $1`,
);

/**
 * @throws ServiceError `job_not_found` for an id that never existed, is no UUID or belongs to another account:
 * the three cannot be told apart.
 */
export async function findJob(dataSource: DataSource, accountId: string, jobId: string): Promise<JobView> {
  if (!isUuid(jobId)) throw jobNotFound();
  const [job] = await tenantRows<JobView>(dataSource, accountId, BY_ID, [jobId]);
  if (!job) throw jobNotFound();
  return job;
}

function jobNotFound(): ServiceError {
  return new ServiceError('job_not_found', { detail: 'There is no job with this id in your account.' });
}
