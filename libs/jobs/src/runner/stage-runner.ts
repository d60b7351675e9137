import { inTransaction, isDatabaseUnavailable } from '@app/database';
import { StoreUnavailableError } from '@app/storage';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { finishJob } from '../lifecycle/finish-job.js';
import { failedOutcome, serviceFailureOutcome, type JobOutcome } from '../lifecycle/job-outcome.js';
import type { QueueName } from '../queue/queues.js';
import { claimNextStage } from '../stages/claim-next-stage.js';
import { type ClaimedStage, lockHeldStage } from '../stages/stage-claim.repository.js';
import { type ReleaseOptions, releaseStage } from '../stages/job-stage.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import { restartFromPreprocess } from '../stages/restart-from-preprocess.js';
import { type OnAttemptFailed, AttemptFailureReporter, type AttemptLogger } from './attempt-failures.js';
import { LeaseRenewer } from './lease-renewer.js';
import { StageDeadline } from './stage-deadline.js';
import {
  UnrecoverableStageError,
  StageInputMissingError,
  RetryableStageError,
  DependencyUnavailableError,
} from './stage-errors.js';
import { retryWhileDatabaseUnavailable } from './retry-while-database-unavailable.js';

/** Writes the result of a stage, in one transaction under its fence. */
export type StageCommit = (tx: EntityManager) => Promise<void>;

/**
 * Commits a partial result in its own transaction under the same fence, before the work ends. It persists if the
 * work fails, and is committed again when the work is repeated.
 * @throws LeaseLostError if another worker has the stage or its job has ended; nothing is written then
 */
export type CommitCheckpoint = (part: StageCommit) => Promise<void>;

/** Idempotent work outside of transactions. It may run more than once, but only one commit counts. */
export type StageWork = (
  stage: ClaimedStage,
  signal: AbortSignal,
  commitAhead: CommitCheckpoint,
) => Promise<StageCommit>;

export type StageResult = 'committed' | 'nothing to do' | 'stale' | 'returned' | 'failed';

export interface StageRunnerOptions {
  dataSource: DataSource;
  hooks: JobHooks;
  leaseSeconds: number;
  /** Time limit of one attempt in seconds. */
  stageTimeoutSeconds: number;
  /** Counted attempts of a stage before the job fails. */
  maxAttempts: number;
  /** Delay before a counted retry in seconds, multiplied by the number of the attempt. */
  retryDelaySeconds: number;
  logger: AttemptLogger;
  onAttemptFailed?: OnAttemptFailed;
  /** Called after every commit, because stages may be due. */
  onCommitted: () => void;
}

const DEPENDENCY_RETRY_SECONDS = 3;
/** Factor on the retry delay, because an outage can be long and many stages may wait. */
const DEPENDENCY_BACKOFF_FACTOR = 5;

/**
 * Runs stages of every kind: claims one, works under a renewed lease and commits under the fence, or releases the
 * stage or ends the job.
 */
export class StageRunner {
  private readonly failures: AttemptFailureReporter;

  constructor(private readonly options: StageRunnerOptions) {
    this.failures = new AttemptFailureReporter(options.logger, options.onAttemptFailed);
  }

  /**
   * Claims and runs the next due stage of the queue.
   * @param shutdown aborted when the process must stop; the stage is then released without a counted attempt
   */
  async run(queue: QueueName, shutdown: AbortSignal, work: StageWork): Promise<StageResult> {
    const { dataSource, leaseSeconds, maxAttempts, stageTimeoutSeconds } = this.options;
    const claim = (): Promise<ClaimedStage | null> =>
      claimNextStage(dataSource, queue, leaseSeconds, shutdown);
    const stage = await retryWhileDatabaseUnavailable(claim, shutdown);
    if (!stage) return 'nothing to do';
    if (stage.attempts > maxAttempts)
      return this.failJob(stage, serviceFailureOutcome(stage.name, 'crashing'), shutdown);

    const lease = new LeaseRenewer(dataSource, stage, leaseSeconds);
    const deadline = new StageDeadline(stageTimeoutSeconds);
    try {
      const stop = AbortSignal.any([lease.signal, shutdown]);
      const signal = AbortSignal.any([stop, deadline.signal]);
      const commit = await Promise.race([
        work(stage, signal, (part) => this.commitCheckpoint(stage, part, signal)),
        deadline.expired,
      ]);
      deadline.stop();
      await this.commit(commit, stop);
      return 'committed';
    } catch (error) {
      if (lease.signal.aborted || error instanceof LeaseLostError) return 'stale';
      return await this.handleFailure(stage, error, shutdown);
    } finally {
      deadline.stop();
      lease.stop();
    }
  }

  private async commitCheckpoint(stage: ClaimedStage, part: StageCommit, stop: AbortSignal): Promise<void> {
    await this.commit(async (tx) => {
      if (!(await lockHeldStage(tx, stage)))
        throw new LeaseLostError(`${stage.name} of ${stage.jobId} is leased by another worker`);
      await part(tx);
    }, stop);
  }

  private async handleFailure(
    stage: ClaimedStage,
    error: unknown,
    shutdown: AbortSignal,
  ): Promise<StageResult> {
    if (shutdown.aborted && !(error instanceof UnrecoverableStageError))
      return this.release(stage, error, { delaySeconds: 0, countsAsAttempt: false }, shutdown);
    this.failures.report(stage, error);
    if (error instanceof UnrecoverableStageError)
      return this.failJob(stage, failedOutcome(error.failedStage ?? stage.name, error.reason), shutdown);
    if (isDatabaseUnavailable(error) || error instanceof StoreUnavailableError)
      return this.release(
        stage,
        error,
        { delaySeconds: DEPENDENCY_RETRY_SECONDS, countsAsAttempt: false },
        shutdown,
      );
    if (error instanceof DependencyUnavailableError) {
      const back = {
        delaySeconds: this.options.retryDelaySeconds * DEPENDENCY_BACKOFF_FACTOR,
        countsAsAttempt: false,
      };
      return this.release(stage, error, back, shutdown);
    }
    if (error instanceof StageInputMissingError) return this.restartJob(stage, shutdown);
    const delaySeconds = this.options.retryDelaySeconds * stage.attempts;
    if (stage.attempts < this.options.maxAttempts)
      return this.release(stage, error, { delaySeconds, countsAsAttempt: true }, shutdown);
    const outcome =
      error instanceof RetryableStageError
        ? failedOutcome(stage.name, error.reason)
        : serviceFailureOutcome(stage.name, 'failing');
    return this.failJob(stage, outcome, shutdown);
  }

  private async release(
    stage: ClaimedStage,
    error: unknown,
    back: Omit<ReleaseOptions, 'error'>,
    shutdown: AbortSignal,
  ): Promise<StageResult> {
    const message = error instanceof Error ? error.message : String(error);
    const returned = await this.commit(
      (tx) => releaseStage(tx, stage, { ...back, error: message }),
      shutdown,
    );
    return returned ? 'returned' : 'stale';
  }

  private async restartJob(stage: ClaimedStage, shutdown: AbortSignal): Promise<StageResult> {
    const { jobId, name } = stage;
    const { hooks, maxAttempts } = this.options;
    return this.commit(async (tx) => {
      const isHeld = await lockHeldStage(tx, stage);
      if (!isHeld) return 'stale';
      if (await restartFromPreprocess(tx, stage, maxAttempts)) return 'returned';
      await finishJob(tx, hooks, jobId, serviceFailureOutcome(name, 'losing'));
      return 'failed';
    }, shutdown);
  }

  /** Only the holder of the stage may end the job; a worker that resumes late must not. */
  private async failJob(
    stage: ClaimedStage,
    outcome: JobOutcome,
    shutdown: AbortSignal,
  ): Promise<StageResult> {
    const ended = await this.commit(
      async (tx) =>
        (await lockHeldStage(tx, stage)) && finishJob(tx, this.options.hooks, stage.jobId, outcome),
      shutdown,
    );
    return ended ? 'failed' : 'stale';
  }

  private async commit<T>(work: (tx: EntityManager) => Promise<T>, stop: AbortSignal): Promise<T> {
    const result = await retryWhileDatabaseUnavailable(
      () => inTransaction(this.options.dataSource, work),
      stop,
    );
    this.options.onCommitted();
    return result;
  }
}
