import { PollingLoop, type PollingLoopOptions } from '@app/async';
import { purgeExpiredSignIns } from '@app/auth';
import { CARD_PAYMENTS, type CardPayments } from '@app/billing';
import {
  type ReclaimedStage,
  JOB_HOOKS,
  type JobHooks,
  OutboxRelay,
  getStageQueue,
  JobSweeper,
} from '@app/jobs';
import { StoreIdentityVerifier } from '@app/installation';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { purgeExpiredPreviousSigningSecrets, purgeOldWebhookExchanges } from '@app/webhooks';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { StageMetrics } from '../queues/stage-metrics.js';
import { ScratchDirectory } from '../scratch-directory.js';
import { AudioDeletion } from './audio-deletion.js';
import { createTranscriptDeletion } from './transcript-deletion.js';
import { BillingNotices } from './billing-notices.js';
import { EndedAccountDeletion } from './ended-account-deletion.js';
import { purgeExpiredIdempotencyKeys } from './idempotency-key.repository.js';
import { OrphanMetrics } from './orphan-metrics.js';
import { StoreScan } from './store-scan.js';

/** Seconds. Listing all transcripts takes long, and a late deletion does no harm. */
const TRANSCRIPT_SCAN_INTERVAL_SECONDS = 6 * 3600;
/** Seconds of work that a restore of the database may undo without being detected by the object store. */
const GENERATION_INTERVAL_SECONDS = 300;
const TRANSCRIPT_RETENTION_INTERVAL_SECONDS = 60;
/** Seconds. An expired key is free before its row is deleted, so this only saves space. */
const PURGE_INTERVAL_SECONDS = 60;
const BILLING_NOTICE_INTERVAL_SECONDS = 10;
const SCRATCH_CLEANUP_INTERVAL_SECONDS = 60;

@Injectable()
export class MaintenanceService {
  private readonly logger = new Logger(MaintenanceService.name);
  private readonly loops: PollingLoop[];

  constructor(
    dataSource: DataSource,
    @Inject(JOB_HOOKS) hooks: JobHooks,
    @Inject(OBJECT_STORE) store: ObjectStore,
    private readonly relay: OutboxRelay,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(ScratchDirectory) scratchDirectory: Pick<ScratchDirectory, 'cleanUp'>,
    @Inject(StageMetrics) private readonly metrics: Pick<StageMetrics, 'recordLeaseLost'>,
    @Inject(StoreIdentityVerifier)
    private readonly storeIdentity: Pick<StoreIdentityVerifier, 'verify' | 'advance'>,
    @Inject(OrphanMetrics) orphanMetrics: Pick<OrphanMetrics, 'setObserved' | 'setHeld' | 'addDeleted'>,
    @Inject(CARD_PAYMENTS) cards: CardPayments | null,
    @Inject(BillingNotices) notices: Pick<BillingNotices, 'sendDueNotices'> | null,
  ) {
    const { orphanSweepSeconds, transcriptDays } = options;
    const audio = new AudioDeletion(dataSource, store, { quietSeconds: options.leaseSeconds });
    const transcripts = createTranscriptDeletion(dataSource, store, transcriptDays);
    const storeScan = new StoreScan(dataSource, store, options, orphanMetrics);
    const endedAccounts = new EndedAccountDeletion(dataSource, hooks, store);
    const sweeper = new JobSweeper(dataSource, hooks, options);
    this.loops = [
      this.createLoop('sweep', () => this.sweep(sweeper)),
      this.createLoop('audio deletion', (stop) => audio.runBatch(stop)),
      this.createLoop(
        'purge of idempotency keys',
        () => purgeExpiredIdempotencyKeys(dataSource),
        PURGE_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'purge of previous signing secrets',
        async () => void (await purgeExpiredPreviousSigningSecrets(dataSource)),
        PURGE_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'purge of requests and answers of webhooks',
        () => purgeOldWebhookExchanges(dataSource, options.webhookAttemptDays),
        PURGE_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'purge of expired sign-ins',
        async () => void (await purgeExpiredSignIns(dataSource)),
        PURGE_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'cleanup of work folders',
        () => scratchDirectory.cleanUp(),
        SCRATCH_CLEANUP_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'store scan',
        (stop) => this.runOnVerifiedStore(() => storeScan.scanAudio(stop)),
        orphanSweepSeconds,
      ),
      this.createLoop(
        'scan of transcripts',
        (stop) => this.runOnVerifiedStore(() => storeScan.scanTranscripts(stop)),
        TRANSCRIPT_SCAN_INTERVAL_SECONDS,
      ),
      this.createLoop(
        'transcript retention',
        (stop) => transcripts.runBatch(stop),
        TRANSCRIPT_RETENTION_INTERVAL_SECONDS,
      ),
      this.createLoop('deletion of ended accounts', (stop) => endedAccounts.runBatch(stop)),
      this.createLoop('generation', () => this.storeIdentity.advance(), GENERATION_INTERVAL_SECONDS),
    ];
    if (cards)
      this.loops.push(
        this.createLoop(
          'reconciliation of payments',
          (stop) => this.reconcilePayments(cards, stop),
          options.paymentReconcileSeconds,
        ),
      );
    if (notices)
      this.loops.push(
        this.createLoop(
          'billing notices',
          (stop) => notices.sendDueNotices(stop),
          BILLING_NOTICE_INTERVAL_SECONDS,
        ),
      );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Waits for running steps, which stop after their current item. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private reportLeaseLost({ jobId, name, attempts, requestId }: ReclaimedStage): void {
    this.metrics.recordLeaseLost(getStageQueue(name));
    const fields = {
      job_id: jobId,
      stage: name,
      attempt: attempts,
      ...(requestId && { request_id: requestId }),
    };
    this.logger.warn(
      fields,
      'lease lost: the processor of a stage stopped responding, another one takes over',
    );
  }

  private async sweep(sweeper: JobSweeper): Promise<void> {
    const { reclaimed, redelivered, expired } = await sweeper.sweep();
    if (reclaimed.length + redelivered > 0) this.relay.wake();
    for (const stage of reclaimed) this.reportLeaseLost(stage);
    // Redelivery of waiting stages is normal and does not need a warning.
    if (redelivered + expired > 0) this.logger.log({ redelivered, expired }, 'swept');
  }

  /** The store may have been adopted by another installation, or replaced by another mount. */
  private async runOnVerifiedStore(scan: () => Promise<void>): Promise<void> {
    await this.storeIdentity.verify();
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
    const logger = {
      warn: (message: string, context?: object) => this.logger.warn(`${message} ${formatError(context)}`),
    };
    return new PollingLoop({ name, intervalMs: seconds * 1000, tick, logger });
  }
}

function formatError(context: object | undefined): string {
  const { error } = (context ?? {}) as { error?: unknown };
  return error instanceof Error ? `(${error.message})` : '';
}
