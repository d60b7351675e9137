import { inTransaction, isDatabaseAway } from '@app/database';
import { StoreUnavailable } from '@app/storage';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobEffects } from '../lifecycle/effects.js';
import { finishJob } from '../lifecycle/finish-job.js';
import { failed } from '../lifecycle/outcome.js';
import { type ClaimedStage, claimStage } from '../stages/claim-stage.js';
import { returnStage } from '../stages/return-stage.js';
import type { StageName } from '../stages/stage-names.js';
import { StaleLease } from '../stages/stale-lease.js';
import { LeaseKeeper } from './lease-keeper.js';
import { StageFailure, StageTrouble } from './stage-failure.js';

/** What a stage's work leaves to be written, in one transaction, under its fence. */
export type StageCommit = (tx: EntityManager) => Promise<void>;

/** Idempotent work outside of any transaction. It may run more than once; only one commit counts. */
export type StageWork = (stage: ClaimedStage, signal: AbortSignal) => Promise<StageCommit>;

export type StageResult = 'committed' | 'nothing to do' | 'stale' | 'returned' | 'failed';

export interface StageRunnerOptions {
  dataSource: DataSource;
  effects: JobEffects;
  leaseSeconds: number;
  /** Counted starts of one stage before the job fails. */
  maxAttempts: number;
  /** Seconds before a counted retry: times the attempt's number. */
  retrySeconds: number;
  logger: { warn(message: string, context: object): void };
  /** Called after every commit: something may be due. */
  committed: () => void;
}

const DEPENDENCY_RETRY_SECONDS = 3;

/** Claim, work under a kept lease, commit under the fence; or give back, or end the job. The same for every stage. */
export class StageRunner {
  constructor(private readonly options: StageRunnerOptions) {}

  /** @param shutdown aborted when this process must stop: the stage is given back uncounted. */
  async run(jobId: string, name: StageName, shutdown: AbortSignal, work: StageWork): Promise<StageResult> {
    const { dataSource, leaseSeconds, maxAttempts } = this.options;
    const stage = await claimStage(dataSource, jobId, name, leaseSeconds);
    if (!stage) return 'nothing to do';
    if (stage.attempts > maxAttempts) return this.end(stage, new StageFailure(POISON));

    const lease = new LeaseKeeper(dataSource, stage, leaseSeconds);
    try {
      const commit = await work(stage, AbortSignal.any([lease.signal, shutdown]));
      await inTransaction(dataSource, commit);
      this.options.committed();
      return 'committed';
    } catch (error) {
      return await this.settle(stage, error, { lost: lease.signal.aborted, stopping: shutdown.aborted });
    } finally {
      lease.stop();
    }
  }

  private async settle(
    stage: ClaimedStage,
    error: unknown,
    { lost, stopping }: { lost: boolean; stopping: boolean },
  ): Promise<StageResult> {
    if (lost || error instanceof StaleLease) return 'stale';
    if (error instanceof StageFailure) return this.end(stage, error);
    if (stopping) return this.giveBack(stage, error, 0, false);
    if (isDatabaseAway(error) || error instanceof StoreUnavailable)
      return this.giveBack(stage, error, DEPENDENCY_RETRY_SECONDS, false);
    if (stage.attempts < this.options.maxAttempts)
      return this.giveBack(stage, error, this.options.retrySeconds * stage.attempts, true);
    this.options.logger.warn('stage failed for the last time', {
      jobId: stage.jobId,
      stage: stage.name,
      error,
    });
    return this.end(stage, new StageFailure(error instanceof StageTrouble ? error.reason : EXHAUSTED));
  }

  private async giveBack(
    stage: ClaimedStage,
    error: unknown,
    delaySeconds: number,
    counts: boolean,
  ): Promise<StageResult> {
    const message = error instanceof Error ? error.message : String(error);
    this.options.logger.warn('stage given back', { jobId: stage.jobId, stage: stage.name, counts, error });
    const returned = await inTransaction(this.options.dataSource, (tx) =>
      returnStage(tx, stage, { delaySeconds, counts, error: message }),
    );
    this.options.committed();
    return returned ? 'returned' : 'stale';
  }

  private async end(stage: ClaimedStage, failure: StageFailure): Promise<StageResult> {
    const { dataSource, effects } = this.options;
    const outcome = failed(failure.failedStage ?? stage.name, failure.reason);
    const ended = await inTransaction(dataSource, (tx) => finishJob(tx, effects, stage.jobId, outcome));
    this.options.committed();
    return ended ? 'failed' : 'stale';
  }
}

const POISON = 'Processing this file ended the worker several times; it was given up.';
const EXHAUSTED = 'Processing failed several times; it was given up.';
