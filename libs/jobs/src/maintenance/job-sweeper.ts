import { getSqlState, isDatabaseUnavailableError, inTransaction } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { UPLOAD_SESSION_SECONDS } from '../lifecycle/job.repository.js';
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
 * A process has one for its life, because it may lose and regain the lead by an outage that it has to remember. During an outage of Postgres
 * no worker can renew its lease and no ping its upload session, so what has expired is spared for as long as these last after it.
 */
export class JobSweeper {
  private outageSeenAt = -Infinity;
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
    const { leaseSeconds } = this.options;
    try {
      return {
        reclaimed: this.hasOutageEndedFor(leaseSeconds)
          ? await inTransaction(dataSource, reclaimExpiredLeases)
          : [],
        redelivered: await this.replaceLostMessages(),
        expired: await failExpiredJobs(dataSource, hooks, this.hasOutageEndedFor(UPLOAD_SESSION_SECONDS)),
      };
    } catch (error) {
      this.spareExpiredAfter(error);
      throw error;
    }
  }

  /** For an error of any statement of this process: after an outage, leases and upload sessions get the time to be renewed. */
  spareExpiredAfter(error: unknown): void {
    if (isDatabaseUnavailableError(error) && getSqlState(error) !== QUERY_CANCELED)
      this.outageSeenAt = this.now();
  }

  private hasOutageEndedFor(seconds: number): boolean {
    return this.now() >= this.outageSeenAt + seconds * 1000;
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
async function failExpiredJobs(
  dataSource: DataSource,
  hooks: JobHooks,
  includesUploads: boolean,
): Promise<number> {
  const overdue = await findOverdueJobs(dataSource);
  const expired = includesUploads ? overdue : overdue.filter(({ queued }) => queued);
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
