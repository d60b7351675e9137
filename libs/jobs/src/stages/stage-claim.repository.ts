import {
  deferPreparedStatementToNextRoundTrip,
  type JobAudioSource,
  queryPrepared,
  queryRows,
  queryRowsWithClientTimeout,
  buildFailUnlessSql,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { lockJobRow } from '../lifecycle/job.repository.js';
import type { JobOptions } from '../options/job-options.js';
import type { QueueName } from '../queue/queues.js';
import { LeaseLostError } from './lease-lost-error.js';
import type { StageName } from './stage-names.js';
import { setTimeout as pause } from 'node:timers/promises';

/** With the fields of the job that the work needs. */
export interface ClaimedStage {
  jobId: string;
  accountId: string;
  name: StageName;
  chunkIndex: number;
  /** Every write of this holder contains it. */
  fence: number;
  /** Including this one. */
  attempts: number;
  /** Those of the earlier attempts whose lease expired. */
  crashes: number;
  input: Record<string, unknown> | null;
  job: JobOfClaimedStage;
}

export interface JobOfClaimedStage {
  source: JobAudioSource;
  options: JobOptions;
  createdAt: Date;
  audioKey: string;
  audioUrl: string | null;
  declaredSize: number | null;
  storedSize: number | null;
  storedEtag: string | null;
  requestId: string | null;
  traceparent: string | null;
  duration: number | null;
  /** Whether it had chunk stages when the stage was claimed; not known of every stage. Only the holder of preprocess adds some. */
  hasChunks?: boolean;
}

/** What `MAX_ATTEMPTS` limits. */
export function countAttemptsWithoutCrashes({
  attempts,
  crashes,
}: Pick<ClaimedStage, 'attempts' | 'crashes'>): number {
  return attempts - crashes;
}

/** Chooses by the function `take_turn` (ADR 11), whatever the number of waiting accounts. Skips locked stages. */
export const CLAIM_NEXT_STAGE_STATEMENT = {
  name: 'claim-stage',
  text: `
    WITH next AS MATERIALIZED (SELECT job_id, name FROM take_turn($1, $3))
    UPDATE job_stage stage
    SET state = 'running', fence = fence + 1, attempts = attempts + 1,
        lease_until = clock_timestamp() + make_interval(secs => $2), started_at = now()
    FROM job, next
    WHERE stage.job_id = next.job_id AND stage.name = next.name AND job.id = stage.job_id AND job.status = 'processing'
    RETURNING stage.job_id AS "jobId", stage.name, stage.fence, stage.attempts, stage.crashes, stage.input,
      stage.chunk_index AS "chunkIndex", job.account_id AS "accountId", job.source, job.options,
      job.created_at AS "createdAt", job.audio_key AS "audioKey", job.audio_url AS "audioUrl",
      job.declared_size AS "declaredSize", job.stored_size AS "storedSize", job.stored_etag AS "storedEtag", job.request_id AS "requestId", job.traceparent, job.duration,
      $1 = 'preprocess' AND EXISTS (
        SELECT FROM job_stage own WHERE own.job_id = job.id AND own.queue = 'chunk') AS "hasChunks"`,
};

/**
 * Claims the stage with the lowest fair rank of the account that was served the longest ago. Counts the
 * attempt now, so that work that kills its worker counts too.
 * @param maxPerAccount running stages of one account in the queue; concurrent claims may exceed it by one each
 * @returns null if no stage is due and free
 */
export async function claimNextStage(
  dataSource: DataSource,
  queue: QueueName,
  leaseSeconds: number,
  maxPerAccount: number | null = null,
): Promise<ClaimedStage | null> {
  const [row] = await queryPrepared<JobOfClaimedStage & Omit<ClaimedStage, 'job'>>(
    dataSource.manager,
    CLAIM_NEXT_STAGE_STATEMENT,
    [queue, leaseSeconds, maxPerAccount],
  );
  if (!row) return null;
  const { jobId, name, accountId, fence, attempts, crashes, input, chunkIndex, ...job } = row;
  return { jobId, name, accountId, fence, attempts, crashes, input, chunkIndex, job };
}

export type StageIdAndFence = Pick<ClaimedStage, 'jobId' | 'name' | 'fence'>;

/**
 * Renews all in one statement, which fails after a third of the lease if the server does not respond. Stages that a transaction has locked, such as a commit, are left for the next renewal.
 * @returns the stages whose lease is not lost
 */
export async function renewLeases(
  dataSource: DataSource,
  stages: readonly StageIdAndFence[],
  leaseSeconds: number,
): Promise<StageIdAndFence[]> {
  return queryRowsWithClientTimeout<StageIdAndFence>(
    dataSource,
    (leaseSeconds * 1000) / 3,
    `WITH held AS (
       SELECT stage.job_id, stage.name, stage.fence
       FROM unnest($1::uuid[], $2::text[], $3::int[]) AS given (job_id, name, fence)
       JOIN job_stage stage ON stage.job_id = given.job_id AND stage.name = given.name
       WHERE stage.fence = given.fence AND stage.state = 'running'
     ), unlocked AS (
       SELECT stage.job_id, stage.name FROM job_stage stage JOIN held USING (job_id, name)
       WHERE stage.fence = held.fence AND stage.state = 'running' FOR NO KEY UPDATE OF stage SKIP LOCKED
     ), renewed AS (
       UPDATE job_stage stage SET lease_until = now() + make_interval(secs => $4)
       FROM unlocked WHERE stage.job_id = unlocked.job_id AND stage.name = unlocked.name
     )
     SELECT job_id AS "jobId", name, fence FROM held`,
    [
      stages.map(({ jobId }) => jobId),
      stages.map(({ name }) => name),
      stages.map(({ fence }) => fence),
      leaseSeconds,
    ],
  );
}

/**
 * Lasts until the end of the transaction. Locks the job row first, as every change of a job does.
 * @returns false if the lease is lost
 */
export async function lockHeldStage(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
): Promise<boolean> {
  await lockJobRow(tx, jobId);
  const held = await queryRows(
    tx,
    `SELECT 1 FROM job_stage WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' FOR UPDATE`,
    [jobId, name, fence],
  );
  return held.length === 1;
}

const LOCK_JOB = { name: 'lock-job', text: 'SELECT FROM job WHERE id = $1 FOR UPDATE' };
const REQUIRE_HELD_STAGE = {
  name: 'require-held-stage',
  text: `
    WITH held AS (
      SELECT FROM job_stage WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' FOR UPDATE)
    SELECT ${buildFailUnlessSql('EXISTS (SELECT FROM held)', 'held stage')}`,
};

/** As `lockHeldStage`. The transaction fails with `LeaseLostError` if the lease is lost. */
export async function requireHeldStage(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, LOCK_JOB, [jobId]);
  await deferPreparedStatementToNextRoundTrip(tx, REQUIRE_HELD_STAGE, [jobId, name, fence], {
    createError: () => new LeaseLostError(`${name} of ${jobId} is leased by another worker`),
  });
}

/** Includes locked ones, but none of accounts at their limit. Reads rows of accounts, not of stages. */
export async function isAnyStageDue(
  dataSource: DataSource,
  queue: QueueName,
  maxPerAccount: number | null = null,
): Promise<boolean> {
  const due = await queryRows(
    dataSource,
    `SELECT FROM turn WHERE queue = $1 AND waiting AND ($2::int IS NULL OR account_id NOT IN (
       SELECT account_id FROM job_stage WHERE state = 'running' AND queue = $1
       GROUP BY account_id HAVING count(*) >= $2)) LIMIT 1`,
    [queue, maxPerAccount],
  );
  return due.length > 0;
}

const CLAIM_RETRY_DELAY_MS = 50;
/** About a second in total, longer than a row lock; a sweep finds the rest. */
const MAX_CLAIM_RETRIES = 20;

/** Retries while stages are locked, instead of leaving them to the next sweep. */
export async function claimNextStageRetryingWhileLocked(
  dataSource: DataSource,
  queue: QueueName,
  leaseSeconds: number,
  maxPerAccount: number | null,
  stop: AbortSignal,
): Promise<ClaimedStage | null> {
  for (let retries = 0; ; retries += 1) {
    const stage = await claimNextStage(dataSource, queue, leaseSeconds, maxPerAccount);
    if (stage || stop.aborted || retries === MAX_CLAIM_RETRIES) return stage;
    if (!(await isAnyStageDue(dataSource, queue, maxPerAccount))) return null;
    await pause(CLAIM_RETRY_DELAY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
