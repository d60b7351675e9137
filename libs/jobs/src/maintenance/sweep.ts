import { inTransaction } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { finishJob } from '../lifecycle/finish-job.js';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { failedOutcome, serviceFailureOutcome } from '../lifecycle/job-outcome.js';
import {
  findExpiredJobs,
  findOpenStage,
  lockExpiredJob,
  type ReclaimedStage,
  reclaimExpiredLeases,
  redeliverStages,
} from './maintenance.repository.js';

export interface SweepOptions {
  /** Seconds after which the message of an unclaimed stage is sent again. */
  redeliverSeconds: number;
  /** Whether expired leases are reclaimed. */
  reclaimsLeases: boolean;
}

export interface SweepReport {
  /** Stages whose lease had expired. */
  reclaimed: ReclaimedStage[];
  /** Stages whose message seems lost. */
  redelivered: number;
  /** Expired uploads and jobs. */
  expired: number;
}

/**
 * Finds due work by rows alone, after crashed workers, lost queues and absent callers. Several processes may sweep
 * at the same time; they share the rows by SKIP LOCKED.
 */
export async function sweep(
  dataSource: DataSource,
  hooks: JobHooks,
  options: SweepOptions,
): Promise<SweepReport> {
  return {
    reclaimed: options.reclaimsLeases ? await inTransaction(dataSource, reclaimExpiredLeases) : [],
    redelivered: await inTransaction(dataSource, (tx) => redeliverStages(tx, options.redeliverSeconds)),
    expired: await failExpiredJobs(dataSource, hooks),
  };
}

/** A job that cannot be ended must not block the others. */
async function failExpiredJobs(dataSource: DataSource, hooks: JobHooks): Promise<number> {
  const expired = await findExpiredJobs(dataSource);
  const errors: unknown[] = [];
  let ended = 0;
  for (const { id, queued } of expired) {
    try {
      if (await inTransaction(dataSource, (tx) => failIfExpired(tx, hooks, id, queued))) ended += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return ended;
}

/** Checks again under the lock of the job, because a complete call or a ping may have come first. */
async function failIfExpired(
  tx: EntityManager,
  hooks: JobHooks,
  id: string,
  queued: boolean,
): Promise<boolean> {
  if (!(await lockExpiredJob(tx, id, queued))) return false;
  const outcome = queued
    ? serviceFailureOutcome(await findOpenStage(tx, id), 'late')
    : failedOutcome('upload', 'The upload was not completed in time.');
  return finishJob(tx, hooks, id, outcome);
}
