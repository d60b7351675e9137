import { inTransaction, isDatabaseAway } from '@app/database';
import { StoreUnavailable } from '@app/storage';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobEffects } from '../lifecycle/effects.js';
import { finishJob } from '../lifecycle/finish-job.js';
import { failed, givenUp, type Outcome } from '../lifecycle/outcome.js';
import type { QueueName } from '../queue/queues.js';
import { claimNext } from '../stages/claim-next.js';
import type { ClaimedStage } from '../stages/claim-stage.js';
import { holdsStage } from '../stages/holds-stage.js';
import { type Return, returnStage } from '../stages/return-stage.js';
import { StaleLease } from '../stages/stale-lease.js';
import { startOver } from '../stages/start-over.js';
import { type AttemptFailed, AttemptFailures, type AttemptLogger } from './attempt-failure.js';
import { LeaseKeeper } from './lease-keeper.js';
import { StageDeadline } from './stage-deadline.js';
import { StageFailure, StageInputMissing, StageTrouble, StageWaits } from './stage-failure.js';
import { whileDatabaseAway } from './while-away.js';

/** What a stage's work leaves to be written, in one transaction, under its fence. */
export type StageCommit = (tx: EntityManager) => Promise<void>;

/**
 * Commits a part before the work is done, in a transaction of its own under the same fence. It stays, whatever becomes of
 * the rest, and comes again when the work is repeated.
 * @throws StaleLease when the stage went to another or its job has ended; nothing is written then
 */
export type CommitAhead = (part: StageCommit) => Promise<void>;

/** Idempotent work outside of any transaction. It may run more than once; only one commit counts. */
export type StageWork = (
  stage: ClaimedStage,
  signal: AbortSignal,
  commitAhead: CommitAhead,
) => Promise<StageCommit>;

export type StageResult = 'committed' | 'nothing to do' | 'stale' | 'returned' | 'failed';

export interface StageRunnerOptions {
  dataSource: DataSource;
  effects: JobEffects;
  leaseSeconds: number;
  /** That one start of a stage may take; its work is not waited for any longer. */
  stageSeconds: number;
  /** Counted starts of one stage before the job fails. */
  maxAttempts: number;
  /** Seconds before a counted retry: times the attempt's number. */
  retrySeconds: number;
  logger: AttemptLogger;
  onAttemptFailed?: AttemptFailed;
  /** Called after every commit: something may be due. */
  committed: () => void;
}

const DEPENDENCY_RETRY_SECONDS = 3;
/** Of the seconds before a counted retry: what is waited for may be down for long, with much that waits. */
const WAITS_TIMES = 5;

/** Claim, work under a kept lease, commit under the fence; or give back, or end the job. The same for every stage. */
export class StageRunner {
  private readonly failures: AttemptFailures;

  constructor(private readonly options: StageRunnerOptions) {
    this.failures = new AttemptFailures(options.logger, options.onAttemptFailed);
  }

  /**
   * Takes up what is next in the queue, if anything is due.
   * @param shutdown aborted when this process must stop: the stage is given back uncounted.
   */
  async run(queue: QueueName, shutdown: AbortSignal, work: StageWork): Promise<StageResult> {
    const { dataSource, leaseSeconds, maxAttempts, stageSeconds } = this.options;
    const claim = (): Promise<ClaimedStage | null> => claimNext(dataSource, queue, leaseSeconds, shutdown);
    const stage = await whileDatabaseAway(claim, shutdown);
    if (!stage) return 'nothing to do';
    if (stage.attempts > maxAttempts) return this.end(stage, givenUp(stage.name, 'crashing'), shutdown);

    const lease = new LeaseKeeper(dataSource, stage, leaseSeconds);
    const deadline = new StageDeadline(stageSeconds);
    try {
      const stop = AbortSignal.any([lease.signal, shutdown]);
      const signal = AbortSignal.any([stop, deadline.signal]);
      const commit = await Promise.race([
        work(stage, signal, (part) => this.commitAhead(stage, part, signal)),
        deadline.passed,
      ]);
      deadline.stop();
      await this.commit(commit, stop);
      return 'committed';
    } catch (error) {
      if (lease.signal.aborted || error instanceof StaleLease) return 'stale';
      return await this.settle(stage, error, shutdown);
    } finally {
      deadline.stop();
      lease.stop();
    }
  }

  private async commitAhead(stage: ClaimedStage, part: StageCommit, stop: AbortSignal): Promise<void> {
    await this.commit(async (tx) => {
      if (!(await holdsStage(tx, stage)))
        throw new StaleLease(`${stage.name} of ${stage.jobId} went to another`);
      await part(tx);
    }, stop);
  }

  private async settle(stage: ClaimedStage, error: unknown, shutdown: AbortSignal): Promise<StageResult> {
    if (shutdown.aborted && !(error instanceof StageFailure))
      return this.giveBack(stage, error, { delaySeconds: 0, counts: false }, shutdown);
    this.failures.failed(stage, error);
    if (error instanceof StageFailure)
      return this.end(stage, failed(error.failedStage ?? stage.name, error.reason), shutdown);
    if (isDatabaseAway(error) || error instanceof StoreUnavailable)
      return this.giveBack(stage, error, { delaySeconds: DEPENDENCY_RETRY_SECONDS, counts: false }, shutdown);
    if (error instanceof StageWaits) {
      const back = { delaySeconds: this.options.retrySeconds * WAITS_TIMES, counts: false };
      return this.giveBack(stage, error, back, shutdown);
    }
    if (error instanceof StageInputMissing) return this.startOver(stage, shutdown);
    const delaySeconds = this.options.retrySeconds * stage.attempts;
    if (stage.attempts < this.options.maxAttempts)
      return this.giveBack(stage, error, { delaySeconds, counts: true }, shutdown);
    const outcome =
      error instanceof StageTrouble ? failed(stage.name, error.reason) : givenUp(stage.name, 'failing');
    return this.end(stage, outcome, shutdown);
  }

  private async giveBack(
    stage: ClaimedStage,
    error: unknown,
    back: Omit<Return, 'error'>,
    shutdown: AbortSignal,
  ): Promise<StageResult> {
    const message = error instanceof Error ? error.message : String(error);
    const returned = await this.commit((tx) => returnStage(tx, stage, { ...back, error: message }), shutdown);
    return returned ? 'returned' : 'stale';
  }

  private async startOver(stage: ClaimedStage, shutdown: AbortSignal): Promise<StageResult> {
    const { jobId, name } = stage;
    const { effects, maxAttempts } = this.options;
    return this.commit(async (tx) => {
      const isHeld = await holdsStage(tx, stage);
      if (!isHeld) return 'stale';
      if (await startOver(tx, stage, maxAttempts)) return 'returned';
      await finishJob(tx, effects, jobId, givenUp(name, 'losing'));
      return 'failed';
    }, shutdown);
  }

  /** Only for the holder of the stage: one that woke up late must not end what another is working on. */
  private async end(stage: ClaimedStage, outcome: Outcome, shutdown: AbortSignal): Promise<StageResult> {
    const ended = await this.commit(
      async (tx) =>
        (await holdsStage(tx, stage)) && finishJob(tx, this.options.effects, stage.jobId, outcome),
      shutdown,
    );
    return ended ? 'failed' : 'stale';
  }

  private async commit<T>(work: (tx: EntityManager) => Promise<T>, stop: AbortSignal): Promise<T> {
    const result = await whileDatabaseAway(() => inTransaction(this.options.dataSource, work), stop);
    this.options.committed();
    return result;
  }
}
