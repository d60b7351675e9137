import type { JobSource } from '@app/database';
import { rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobOptions } from '../options/job-options.js';
import type { StageName } from './stage-names.js';

/** A stage in hand, with what its work needs of the job. */
export interface ClaimedStage {
  jobId: string;
  accountId: string;
  name: StageName;
  chunkIndex: number;
  /** Every write of this holder names it. */
  fence: number;
  /** This start included. */
  attempts: number;
  input: Record<string, unknown> | null;
  job: ClaimedJob;
}

export interface ClaimedJob {
  source: JobSource;
  options: JobOptions;
  createdAt: Date;
  audioKey: string;
  audioUrl: string | null;
  storedSize: number | null;
  storedEtag: string | null;
  duration: number | null;
}

/**
 * Takes the stage for `leaseSeconds`, when it is free: pending, or running under a lease that ran out.
 * The start is counted here, so that work which kills its worker is counted too.
 * @returns null when there is nothing to take: done, dropped, held by another, or the job has ended.
 */
export async function claimStage(
  dataSource: DataSource,
  jobId: string,
  name: StageName,
  leaseSeconds: number,
): Promise<ClaimedStage | null> {
  const [row] = await rowsOf<ClaimedJob & Omit<ClaimedStage, 'jobId' | 'name' | 'job'>>(
    dataSource,
    `UPDATE job_stage stage
     SET state = 'running', fence = fence + 1, attempts = attempts + 1,
         lease_until = now() + make_interval(secs => $3), started_at = now()
     FROM job
     WHERE stage.job_id = $1 AND stage.name = $2 AND job.id = stage.job_id AND job.status = 'processing'
       AND (stage.state = 'pending' OR (stage.state = 'running' AND stage.lease_until < now()))
     RETURNING stage.fence, stage.attempts, stage.input, stage.chunk_index AS "chunkIndex",
       job.account_id AS "accountId", job.source, job.options, job.created_at AS "createdAt", job.audio_key AS "audioKey",
       job.audio_url AS "audioUrl", job.stored_size AS "storedSize", job.stored_etag AS "storedEtag", job.duration`,
    [jobId, name, leaseSeconds],
  );
  if (!row) return null;
  const { accountId, fence, attempts, input, chunkIndex, ...job } = row;
  return { jobId, name, accountId, fence, attempts, input, chunkIndex, job };
}

/** Prolongs the lease. False when the stage is no longer ours: stop the work. */
export async function renewLease(
  dataSource: DataSource,
  { jobId, name, fence }: Pick<ClaimedStage, 'jobId' | 'name' | 'fence'>,
  leaseSeconds: number,
): Promise<boolean> {
  const renewed = await rowsOf(
    dataSource,
    `UPDATE job_stage SET lease_until = now() + make_interval(secs => $4)
     WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' RETURNING job_id`,
    [jobId, name, fence, leaseSeconds],
  );
  return renewed.length === 1;
}
