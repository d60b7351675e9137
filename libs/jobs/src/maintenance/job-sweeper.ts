import { getSqlState, isDatabaseUnavailableError, inTransaction } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { endJob } from '../lifecycle/end-job.js';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import type { StageQueues } from '../queue/stage-queues.js';
import { QueueUnavailableError } from '../queue/queue-message.js';
import { LostMessageReplacer } from './lost-message-replacer.js';
import type { MaxRunningPerAccount } from './lost-messages.repository.js';
import { buildFailedOutcome, buildServiceFailureOutcome } from '../lifecycle/job-outcome.js';
import {
  findOverdueJobs,
  findFirstOpenStageName,
  lockOverdueJob,
  type ReclaimedStage,
  reclaimExpiredLeases,
} from './maintenance.repository.js';

/** The error code of a statement that waited too long, such as for a lock: Postgres is available. */
const QUERY_CANCELED = '57014';

export interface JobSweeperOptions {
  /** Before the message of an unclaimed stage counts as lost. */
  redeliverSeconds: number;
  leaseSeconds: number;
  /** As in `StageRunnerOptions`. */
  maxRunningPerAccount?: MaxRunningPerAccount;
}

/**
 * Rows decide, so it works after crashes and lost queues. One processor sweeps; concurrent sweeps are harmless.
 * A process has one for its life, because it may lose and regain the lead by an outage that it has to remember. During an outage of Postgres no worker can renew its lease, so reclaiming pauses for one lease duration
 * after it.
 */
export class JobSweeper {
  private reclaimLeasesFrom = 0;
  private readonly lostMessages: LostMessageReplacer;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: JobHooks,
    queue: Pick<StageQueues, 'counts'>,
    private readonly options: JobSweeperOptions,
    private readonly now: () => number = () => performance.now(),
  ) {
    const { redeliverSeconds, maxRunningPerAccount = {} } = options;
    this.lostMessages = new LostMessageReplacer(dataSource, queue, redeliverSeconds, maxRunningPerAccount);
  }

  /** @throws the error of the database */
  async sweep(): Promise<JobSweepReport> {
    const { dataSource, hooks } = this;
    const reclaimsLeases = this.now() >= this.reclaimLeasesFrom;
    try {
      return {
        reclaimed: reclaimsLeases ? await inTransaction(dataSource, reclaimExpiredLeases) : [],
        redelivered: await this.replaceLostMessages(),
        expired: await failExpiredJobs(dataSource, hooks),
      };
    } catch (error) {
      this.pauseReclaimingAfter(error);
      throw error;
    }
  }

  /** For an error of any statement of this process: after an outage, workers get the time to renew their leases. */
  pauseReclaimingAfter(error: unknown): void {
    if (isDatabaseUnavailableError(error) && getSqlState(error) !== QUERY_CANCELED)
      this.reclaimLeasesFrom = this.now() + this.options.leaseSeconds * 1000;
  }

  /** A queue that is unavailable must not stop the rest of the sweep. */
  private async replaceLostMessages(): Promise<number> {
    try {
      return await this.lostMessages.replace();
    } catch (error) {
      if (error instanceof QueueUnavailableError) return 0;
      throw error;
    }
  }
}

export interface JobSweepReport {
  reclaimed: ReclaimedStage[];
  /** Number of lost messages that were replaced. */
  redelivered: number;
  expired: number;
}

/** A job that cannot be ended must not block the others. */
async function failExpiredJobs(dataSource: DataSource, hooks: JobHooks): Promise<number> {
  const expired = await findOverdueJobs(dataSource);
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

/** Checks again under the lock, because the upload may have been completed or extended meanwhile. */
async function failIfExpired(
  tx: EntityManager,
  hooks: JobHooks,
  id: string,
  queued: boolean,
): Promise<boolean> {
  if (!(await lockOverdueJob(tx, id, queued))) return false;
  const outcome = queued
    ? buildServiceFailureOutcome((await findFirstOpenStageName(tx, id)) ?? 'preprocess', 'late')
    : buildFailedOutcome('upload', 'The upload was not completed in time.');
  return endJob(tx, hooks, id, outcome);
}
