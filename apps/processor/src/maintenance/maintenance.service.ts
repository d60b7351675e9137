import { PollingLoop, type PollingLoopOptions } from '@app/async';
import { CARD_PAYMENTS_TOKEN, type CardPayments } from '@app/billing';
import {
  type ReclaimedStage,
  JOB_HOOKS_TOKEN,
  type JobHooks,
  StageQueues,
  LeaderElection,
  OutboxRelay,
  getStageQueue,
  JobSweeper,
} from '@app/jobs';
import { StoreOwnershipService } from '@app/installation';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageMetrics } from '../queues/stage-metrics.js';
import { ScratchDirectory } from '../scratch/scratch-directory.js';
import { AudioAndIntermediateObjectDeletion } from './audio-and-intermediate-object-deletion.js';
import { deleteObjectsOfDeletedJobs } from './deleted-job-objects.js';
import { createExpiredTranscriptDeletionRunner } from './transcript-deletion.js';
import { BillingNoticeMailer } from './billing-notice-mailer.js';
import { EndedAccountJobDeletion } from './ended-account-job-deletion.js';
import { ExpiredJobStageAndEventDeletion } from './expired-job-stage-and-event-deletion.js';
import { OrphanMetrics } from './orphan-metrics.js';
import { OncePerIntervalTask } from './once-per-interval-task.js';
import { createPurges } from './purges.js';
import { StoreCleanupScan } from './store-cleanup-scan.js';

/** Seconds. Listing all transcripts takes long, and a late deletion does no harm. */
const TRANSCRIPT_SCAN_INTERVAL_SECONDS = 6 * 3600;
/** Seconds of work that a restore of the database may undo without being detected by the object store. */
const GENERATION_INTERVAL_SECONDS = 300;
const TRANSCRIPT_RETENTION_INTERVAL_SECONDS = 60;
/** Seconds. An expired key is free before its row is deleted, so this only saves space. */
const PURGE_INTERVAL_SECONDS = 60;
const JOB_RETENTION_INTERVAL_SECONDS = 60;
const BILLING_NOTICE_INTERVAL_SECONDS = 10;
const SCRATCH_CLEANUP_INTERVAL_SECONDS = 60;
const RARE_TASK_CHECK_SECONDS = 60;
const LEADER_LEASE_SHARE = 2 / 3;

/**
 * Work folders and audio are the work of every processor. One of them, the leader, does the rest, so that many cost the
 * installation as much as one.
 */
@Injectable()
export class MaintenanceService {
  private readonly logger = new Logger(MaintenanceService.name);
  private readonly election: LeaderElection;
  private readonly ownLoops: PollingLoop[];
  private leaderLoops: PollingLoop[] = [];
  private readonly sweeper: JobSweeper;
  private readonly storeScan: StoreCleanupScan;
  private readonly transcriptScan: OncePerIntervalTask;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly relay: OutboxRelay,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: ProcessorOptions,
    @Inject(ScratchDirectory) scratchDirectory: Pick<ScratchDirectory, 'cleanUp'>,
    @Inject(StageMetrics) private readonly metrics: Pick<StageMetrics, 'recordLeaseLost'>,
    @Inject(StoreOwnershipService)
    private readonly storeOwnership: Pick<StoreOwnershipService, 'verify' | 'advance'>,
    @Inject(OrphanMetrics)
    private readonly orphanMetrics: Pick<
      OrphanMetrics,
      'setObserved' | 'setHeld' | 'addDeleted' | 'resetGauges'
    >,
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
    @Inject(BillingNoticeMailer) private readonly notices: Pick<BillingNoticeMailer, 'sendDueNotices'> | null,
    @Inject(StageQueues) queue: Pick<StageQueues, 'counts'>,
  ) {
    const { leaseSeconds } = options;
    const audio = new AudioAndIntermediateObjectDeletion(dataSource, store, { graceSeconds: leaseSeconds });
    this.storeScan = new StoreCleanupScan(dataSource, store, options, orphanMetrics);
    this.transcriptScan = new OncePerIntervalTask(
      dataSource,
      'scan of transcripts',
      TRANSCRIPT_SCAN_INTERVAL_SECONDS,
      (stop) => this.runOnVerifiedStore(() => this.storeScan.scanTranscripts(stop)),
    );
    this.ownLoops = [
      this.createLoop('audio deletion', (stop) => audio.runBatch(stop)),
      this.createLoop(
        'cleanup of work folders',
        () => scratchDirectory.cleanUp(),
        SCRATCH_CLEANUP_INTERVAL_SECONDS,
      ),
    ];
    const maxRunningPerAccount = { fetch: options.audioFetchesPerAccount };
    this.sweeper = new JobSweeper(dataSource, hooks, queue, { ...options, maxRunningPerAccount });
    this.election = new LeaderElection(dataSource, {
      name: 'maintenance',
      // Another leader is elected before the stages that the killed one ran lose their leases.
      leaseSeconds: leaseSeconds * LEADER_LEASE_SHARE,
      logger: this.createLoopLogger(),
      onElected: () => this.startLeading(),
      onDeposed: () => this.stopLeading(),
      onError: (error) => this.sweeper.spareExpiredAfter(error),
    });
  }

  start(): void {
    for (const loop of this.ownLoops) loop.start();
    this.election.start();
  }

  /** Waits for running steps, which stop after their current item. */
  async stop(): Promise<void> {
    await Promise.all([this.election.stop(), ...this.ownLoops.map((loop) => loop.stop())]);
  }

  private startLeading(): void {
    this.leaderLoops = this.createLeaderLoops();
    for (const loop of this.leaderLoops) loop.start();
  }

  private async stopLeading(): Promise<void> {
    await Promise.all(this.leaderLoops.map((loop) => loop.stop()));
    this.orphanMetrics.resetGauges();
  }

  private createLeaderLoops(): PollingLoop[] {
    const { dataSource, hooks, store, options, cards, notices, storeScan } = this;
    const transcripts = createExpiredTranscriptDeletionRunner(dataSource, store, options.transcriptDays);
    const endedAccounts = new EndedAccountJobDeletion(dataSource, hooks, store);
    const loops = [
      this.createLoop('sweep', () => this.sweep()),
      this.createLoop('deletion of objects of deleted jobs', (stop) =>
        deleteObjectsOfDeletedJobs(dataSource, store, stop),
      ),
      this.createLoop('deletion of ended accounts', (stop) => endedAccounts.runBatch(stop)),
      this.createLoop(
        'store scan',
        (stop) => this.runOnVerifiedStore(() => storeScan.scanAllButTranscripts(stop)),
        options.storeScanSeconds,
      ),
      this.createLoop(
        'scan of transcripts',
        (stop) => this.transcriptScan.runIfDue(stop),
        RARE_TASK_CHECK_SECONDS,
      ),
      this.createLoop(
        'transcript retention',
        (stop) => transcripts.runBatch(stop),
        TRANSCRIPT_RETENTION_INTERVAL_SECONDS,
      ),
      this.createLoop('generation', () => this.storeOwnership.advance(), GENERATION_INTERVAL_SECONDS),
      ...this.createPurgeLoops(),
      ...this.createJobRetentionLoops(),
    ];
    if (cards)
      loops.push(
        this.createLoop(
          'reconciliation of payments',
          (stop) => this.reconcilePayments(cards, stop),
          options.paymentReconcileSeconds,
        ),
      );
    if (notices)
      loops.push(
        this.createLoop(
          'billing notices',
          (stop) => notices.sendDueNotices(stop),
          BILLING_NOTICE_INTERVAL_SECONDS,
        ),
      );
    return loops;
  }

  private createJobRetentionLoops(): PollingLoop[] {
    const retention = new ExpiredJobStageAndEventDeletion(this.dataSource, this.store, this.options);
    return [
      this.createLoop(
        'deletion of stages and events',
        () => retention.deleteStagesAndEvents(),
        JOB_RETENTION_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'deletion of old jobs',
        (stop) => retention.deleteJobs(stop),
        JOB_RETENTION_INTERVAL_SECONDS,
      ),
    ];
  }

  private createPurgeLoops(): PollingLoop[] {
    const { dataSource, options } = this;
    return Object.entries(createPurges(dataSource, options.webhookAttemptDays)).map(([what, purge]) =>
      this.createLoop(`purge of ${what}`, purge, PURGE_INTERVAL_SECONDS),
    );
  }

  private reportLeaseLost({ jobId, name, attempts, crashes, requestId }: ReclaimedStage): void {
    this.metrics.recordLeaseLost(getStageQueue(name));
    const fields = {
      job_id: jobId,
      stage: name,
      attempt: attempts,
      crashes,
      ...(requestId && { request_id: requestId }),
    };
    this.logger.warn(
      fields,
      'lease lost: the processor of a stage stopped responding, another one takes over',
    );
  }

  private async sweep(): Promise<void> {
    const { reclaimed, redelivered, expired } = await this.sweeper.sweep();
    if (reclaimed.length + redelivered > 0) this.relay.wake();
    for (const stage of reclaimed) this.reportLeaseLost(stage);
    if (redelivered + expired > 0)
      this.logger.log({ redelivered, expired }, 'sweep sent lost messages again or ended expired jobs');
  }

  /** The store may have been adopted by another installation, or replaced by another mount. */
  private async runOnVerifiedStore(scan: () => Promise<void>): Promise<void> {
    await this.storeOwnership.verify();
    await scan();
  }

  private async reconcilePayments(cards: CardPayments, stop: AbortSignal): Promise<boolean> {
    const { events } = await cards.reconcile(this.options.paymentReconcileSeconds, stop);
    if (events !== null && events > 0)
      this.logger.warn({ events }, 'Stripe had events that no webhook had reported');
    return false;
  }

  private createLoop(
    name: string,
    tick: PollingLoopOptions['tick'],
    seconds = this.options.sweepSeconds,
  ): PollingLoop {
    return new PollingLoop({ name, intervalMs: seconds * 1000, tick, logger: this.createLoopLogger() });
  }

  private createLoopLogger(): PollingLoopOptions['logger'] {
    return {
      warn: (message: string, context?: object) => this.logger.warn(`${message} ${formatError(context)}`),
    };
  }
}

function formatError(context: object | undefined): string {
  const { error } = (context ?? {}) as { error?: unknown };
  return error instanceof Error ? `(${error.message})` : '';
}
