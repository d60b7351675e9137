import { withAnySignal } from '@app/async';
import { isDatabaseUnavailableError } from '@app/database';
import { describeError } from '@app/errors';
import pTimeout from 'p-timeout';
import type { EntityManager } from 'typeorm';
import {
  buildFailedOutcome,
  buildServiceFailureOutcome,
  type JobOutcome,
  SERVICE_FAILURE_REASON_BY_CODE,
} from '../lifecycle/job-outcome.js';
import { runTransactionReturningMessages } from '../outbox/outbox.repository.js';
import { ReturnMessageToQueueError } from '../queue/queue-message.js';
import type { QueueName } from '../queue/queues.js';
import {
  claimNextStageRetryingWhileLocked,
  type ClaimedStage,
  countAttemptsWithoutCrashes,
  requireHeldStage,
} from '../stages/stage-claim.repository.js';
import { scheduleOrClaimAggregationIfLastChunk } from '../stages/aggregation-schedule.repository.js';
import {
  addChunkStagesAndClaimFirst,
  type ChunkStageClaimOptions,
  renewFirstChunkLeasesAfterLockWait,
} from '../stages/chunk-stage-claim.repository.js';
import { type NewStage, type ReleaseStageOptions, releaseStage } from '../stages/job-stage.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import { StageAttemptFailureReporter } from './attempt-failures.js';
import { DatabaseOutageTracker } from './database-outage-tracker.js';
import { failJobOfHeldStage, restartOrFailJobOfHeldStage } from './end-job-of-held-stage.js';
import { LeaseRenewer } from './lease-renewer.js';
import type { StageRunnerOptions, StageRunOutcome } from './stage-runner-options.js';
import { getRetryDelaySeconds } from './retry-delay.js';
import {
  DependencyCrashedError,
  RetryableStageError,
  StageTimeoutError,
  UnrecoverableStageError,
} from './stage-errors.js';
import { retryWhileDatabaseUnavailable } from './retry-while-database-unavailable.js';
import type { StageCommitCallback, StageCommitWithNextStages, StageHandler } from './stage-handler.js';

/**
 * Claims a stage, works under a renewed lease and commits under the fence, or releases the stage or ends the
 * job.
 */
export class StageRunner {
  private readonly failures: StageAttemptFailureReporter;
  private readonly leases: LeaseRenewer;
  private readonly outage: DatabaseOutageTracker | undefined;

  constructor(private readonly options: StageRunnerOptions) {
    this.failures = new StageAttemptFailureReporter(options.logger, options.onAttemptFailed);
    this.leases = new LeaseRenewer(options.dataSource, options.leaseSeconds);
    if (options.returnsMessages === true) this.outage = new DatabaseOutageTracker(options.dataSource);
  }

  /**
   * @param shutdown when aborted, the stage is released without a counted attempt
   * @throws ReturnMessageToQueueError if nothing can be claimed because the database is unavailable
   */
  async run(queue: QueueName, shutdown: AbortSignal, work: StageHandler): Promise<StageRunOutcome> {
    const { dataSource, leaseSeconds } = this.options;
    const maxPerAccount = this.options.maxRunningPerAccount?.[queue] ?? null;
    const claim = (): Promise<ClaimedStage | null> =>
      claimNextStageRetryingWhileLocked(dataSource, queue, leaseSeconds, maxPerAccount, shutdown);
    const stage = await this.claimOrReturnMessage(claim, shutdown);
    return stage ? this.runClaimed(stage, shutdown, work) : 'idle';
  }

  /**
   * Waits for something that a stage needs before it is claimed.
   * @param wait rejects when its signal is aborted
   * @throws ReturnMessageToQueueError if the database becomes unavailable meanwhile
   */
  async waitBeforeClaim<T>(wait: (stop: AbortSignal) => Promise<T>, shutdown: AbortSignal): Promise<T> {
    const { outage } = this;
    if (!outage) return wait(shutdown);
    const { signal } = outage;
    try {
      return await withAnySignal([shutdown, signal], wait);
    } catch (error) {
      if (shutdown.aborted || !signal.aborted) throw error;
      throw new ReturnMessageToQueueError(outage.begin());
    }
  }

  /** @param stage claimed by this process */
  runClaimed(stage: ClaimedStage, shutdown: AbortSignal, work: StageHandler): Promise<StageRunOutcome> {
    const run = () => this.runWithLease(stage, shutdown, work);
    return this.options.wrapRun?.(stage, run) ?? run();
  }

  /**
   * Whether this process may finish a recording of one chunk. The last attempt of a chunk is always one of its own, which
   * aggregation does not share, so that a failure names the right stage.
   */
  get mayAggregateWithChunk(): boolean {
    const { maxAttempts, maxCrashes, maxRunningPerAccount: limits } = this.options;
    return maxAttempts > 1 && maxCrashes > 1 && limits?.aggregation === undefined;
  }

  /** As `addChunkStagesAndClaimFirst`, with the lease and the limits of this process. */
  addFirstChunks(
    tx: EntityManager,
    preprocess: ClaimedStage,
    chunks: readonly NewStage[],
    { duration, maxClaimed }: Pick<ChunkStageClaimOptions, 'duration' | 'maxClaimed'>,
  ): Promise<() => ClaimedStage[]> {
    const { leaseSeconds, maxRunningPerAccount: limits } = this.options;
    const maxPerAccount = limits?.chunk ?? null;
    return addChunkStagesAndClaimFirst(tx, preprocess, chunks, {
      duration,
      maxClaimed,
      leaseSeconds,
      maxPerAccount,
    });
  }

  /** Call it after the last lock of the transaction of `addFirstChunks`. */
  renewFirstChunkLeasesAfterLockWait(tx: EntityManager, jobId: string): Promise<void> {
    return renewFirstChunkLeasesAfterLockWait(tx, jobId, this.options.leaseSeconds);
  }

  /** As `scheduleOrClaimAggregationIfLastChunk`, with the lease and the limits of this process. */
  scheduleOrClaimAggregationIfLastChunk(
    tx: EntityManager,
    chunk: ClaimedStage,
    mayClaim: boolean,
  ): Promise<() => ClaimedStage | null> {
    const { leaseSeconds, maxRunningPerAccount: limits } = this.options;
    const claim = { leaseSeconds, maxPerAccount: limits?.aggregation ?? null };
    return scheduleOrClaimAggregationIfLastChunk(tx, chunk, mayClaim ? claim : null);
  }

  /** Reports the attempt of a stage that is queued next, for the log and the metrics. */
  reportFailedAttempt(stage: ClaimedStage, error: unknown): void {
    this.failures.report(stage, error);
  }

  private async claimOrReturnMessage(
    claim: () => Promise<ClaimedStage | null>,
    shutdown: AbortSignal,
  ): Promise<ClaimedStage | null> {
    const { outage } = this;
    if (!outage) return retryWhileDatabaseUnavailable(claim, shutdown);
    try {
      return await claim();
    } catch (error) {
      if (shutdown.aborted || !isDatabaseUnavailableError(error)) throw error;
      throw new ReturnMessageToQueueError(outage.begin());
    }
  }

  private async runWithLease(
    stage: ClaimedStage,
    shutdown: AbortSignal,
    work: StageHandler,
  ): Promise<StageRunOutcome> {
    const { maxAttempts, maxCrashes } = this.options;
    // Processors of the previous version count crashes as attempts.
    if (stage.crashes >= maxCrashes || countAttemptsWithoutCrashes(stage) > maxAttempts)
      return this.failJob(stage, buildServiceFailureOutcome(stage.name, 'crashing'), shutdown);

    const lease = this.leases.hold(stage);
    try {
      await withAnySignal([lease.signal, shutdown], async (stop) => {
        const result = await this.runWithinTimeLimit(stage, stop, work);
        if (typeof result === 'function') await this.commit(result, stop);
        else await this.handOver(result, stop);
      });
      return 'committed';
    } catch (error) {
      if (lease.signal.aborted || error instanceof LeaseLostError) return 'stale';
      return await this.handleFailure(stage, error, shutdown);
    } finally {
      lease.stop();
    }
  }

  private async handOver(
    { commit, startNextStages }: StageCommitWithNextStages,
    stop: AbortSignal,
  ): Promise<void> {
    let next: ClaimedStage[] = [];
    try {
      const getNext = await this.commit(commit, stop);
      next = getNext();
    } finally {
      startNextStages(next);
    }
  }

  /** Stops waiting even if the work ignores its signal. */
  private async runWithinTimeLimit(
    stage: ClaimedStage,
    stop: AbortSignal,
    work: StageHandler,
  ): Promise<StageCommitCallback | StageCommitWithNextStages> {
    const expired = new AbortController();
    const signal = AbortSignal.any([stop, expired.signal]);
    const running = work(stage, signal, (part) => this.commitPartialResult(stage, part, signal));
    return pTimeout(running, {
      milliseconds: this.options.stageTimeoutSeconds * 1000,
      fallback: () => {
        expired.abort();
        throw new StageTimeoutError(SERVICE_FAILURE_REASON_BY_CODE.slow);
      },
    });
  }

  private async commitPartialResult(
    stage: ClaimedStage,
    part: StageCommitCallback,
    stop: AbortSignal,
  ): Promise<void> {
    await this.commit(async (tx) => {
      await requireHeldStage(tx, stage);
      await part(tx);
    }, stop);
  }

  private async handleFailure(
    stage: ClaimedStage,
    error: unknown,
    shutdown: AbortSignal,
  ): Promise<StageRunOutcome> {
    if (shutdown.aborted && !(error instanceof UnrecoverableStageError))
      return this.release(stage, error, { delaySeconds: 0, countsAsAttempt: false }, shutdown);
    const kind = this.failures.report(stage, error);
    const { retryDelaySeconds, maxAttempts } = this.options;
    if (error instanceof UnrecoverableStageError)
      return this.failJob(
        stage,
        buildFailedOutcome(error.failedStage ?? stage.name, error.reason),
        shutdown,
        error,
      );
    const attempts = countAttemptsWithoutCrashes(stage);
    const delaySeconds = getRetryDelaySeconds(error, kind, stage, retryDelaySeconds);
    const countsAsCrash = error instanceof DependencyCrashedError;
    if (kind === 'dependency')
      return this.release(stage, error, { delaySeconds, countsAsAttempt: false, countsAsCrash }, shutdown);
    if (kind === 'input_missing') return this.restartJob(stage, shutdown);
    if (attempts < maxAttempts)
      return this.release(stage, error, { delaySeconds, countsAsAttempt: true }, shutdown);
    const outcome =
      error instanceof RetryableStageError
        ? buildFailedOutcome(stage.name, error.reason)
        : buildServiceFailureOutcome(stage.name, error instanceof StageTimeoutError ? 'slow' : 'failing');
    return this.failJob(stage, outcome, shutdown, error);
  }

  private async release(
    stage: ClaimedStage,
    error: unknown,
    options: Omit<ReleaseStageOptions, 'error'>,
    shutdown: AbortSignal,
  ): Promise<StageRunOutcome> {
    const released = await this.commit(
      (tx) => releaseStage(tx, stage, { ...options, error: describeError(error) }),
      shutdown,
    );
    return released ? 'released' : 'stale';
  }

  private async restartJob(stage: ClaimedStage, shutdown: AbortSignal): Promise<StageRunOutcome> {
    const { hooks, maxAttempts } = this.options;
    return this.commit((tx) => restartOrFailJobOfHeldStage(tx, hooks, stage, maxAttempts), shutdown);
  }

  private async failJob(
    stage: ClaimedStage,
    outcome: JobOutcome,
    shutdown: AbortSignal,
    error?: unknown,
  ): Promise<StageRunOutcome> {
    const { hooks } = this.options;
    const work = (tx: EntityManager) => failJobOfHeldStage(tx, hooks, stage, { outcome, error });
    return (await this.commit(work, shutdown)) ? 'failed' : 'stale';
  }

  private async commit<T>(work: (tx: EntityManager) => Promise<T>, stop: AbortSignal): Promise<T> {
    const { result, messages } = await retryWhileDatabaseUnavailable(
      () => runTransactionReturningMessages(this.options.dataSource, work),
      stop,
      () => void this.outage?.begin(),
    );
    if (messages.length > 0) this.options.onCommitted(messages);
    return result;
  }
}
