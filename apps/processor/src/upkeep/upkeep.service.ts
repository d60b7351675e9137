import {
  type AbandonedStage,
  JOB_EFFECTS,
  type JobEffects,
  Loop,
  type LoopOptions,
  Relay,
  stageQueue,
  Sweeper,
} from '@app/jobs';
import { StoreAgreement } from '@app/installation';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { forgetPreviousSecrets } from '@app/webhooks';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { StageMetrics } from '../queues/stage-metrics.js';
import { WorkPlace } from '../work-place.js';
import { audioDeletion } from './delete-audio.js';
import { transcriptDeletion } from './delete-transcripts.js';
import { forgetKeys } from './forget-keys.js';
import { OrphanMetrics } from './orphan-metrics.js';
import { StoreSweep } from './store-sweep.js';

/** Seconds. Listing every transcript there is takes a while, and one too many harms nobody meanwhile. */
const SWEEP_TRANSCRIPTS_EVERY = 6 * 3600;
/** Seconds of work that a restore of the database may take back without the object store telling. */
const ADVANCE_GENERATION_EVERY = 300;
const LOOK_FOR_OLD_TRANSCRIPTS_EVERY = 60;
/** Seconds. An expired key is free before its row is gone: this is only about space. */
const FORGET_KEYS_EVERY = 60;
const TIDY_EVERY = 60;

/** Looks every so often for what crashes, lost queues and absent callers left behind. */
@Injectable()
export class Upkeep {
  private readonly logger = new Logger(Upkeep.name);
  private readonly loops: Loop[];

  constructor(
    dataSource: DataSource,
    @Inject(JOB_EFFECTS) effects: JobEffects,
    @Inject(OBJECT_STORE) store: ObjectStore,
    private readonly relay: Relay,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(WorkPlace) place: Pick<WorkPlace, 'tidy'>,
    @Inject(StageMetrics) private readonly metrics: Pick<StageMetrics, 'leaseLost'>,
    @Inject(StoreAgreement) private readonly agreement: Pick<StoreAgreement, 'verify' | 'advance'>,
    @Inject(OrphanMetrics) orphanMetrics: Pick<OrphanMetrics, 'observed' | 'held' | 'deleted'>,
  ) {
    const { orphanSweepSeconds, transcriptDays } = options;
    const audio = audioDeletion(dataSource, store, options.leaseSeconds);
    const transcripts = transcriptDeletion(dataSource, store, transcriptDays);
    const storeSweep = new StoreSweep(dataSource, store, options, orphanMetrics);
    const sweeper = new Sweeper(dataSource, effects, options);
    this.loops = [
      this.loop('sweep', () => this.sweep(sweeper)),
      this.loop('audio deletion', (stop) => audio.pass(stop)),
      this.loop('forgetting of idempotency keys', () => forgetKeys(dataSource), FORGET_KEYS_EVERY),
      this.loop('forgetting of previous signing secrets', () => forgetSecrets(dataSource), FORGET_KEYS_EVERY),
      this.loop('tidying of work folders', () => tidied(place), TIDY_EVERY),
      this.loop(
        'store sweep',
        (stop) => this.verified(() => storeSweep.passOverAudio(stop)),
        orphanSweepSeconds,
      ),
      this.loop(
        'sweep of transcripts',
        (stop) => this.verified(() => storeSweep.passOverTranscripts(stop)),
        SWEEP_TRANSCRIPTS_EVERY,
      ),
      this.loop('generation', () => this.advance(), ADVANCE_GENERATION_EVERY),
    ];
    if (transcriptDays > 0)
      this.loops.push(
        this.loop('transcript retention', (stop) => transcripts.pass(stop), LOOK_FOR_OLD_TRANSCRIPTS_EVERY),
      );
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Passes under way end with what they are looking at. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private leaseLost({ jobId, name, attempts, requestId }: AbandonedStage): void {
    this.metrics.leaseLost(stageQueue(name));
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

  private async sweep(sweeper: Sweeper): Promise<boolean> {
    const { abandoned, redelivered, expired } = await sweeper.pass();
    if (abandoned.length + redelivered > 0) this.relay.nudge();
    for (const stage of abandoned) this.leaseLost(stage);
    // What is only waiting for its turn is delivered again, too: nothing is wrong with that.
    if (redelivered + expired > 0) this.logger.log({ redelivered, expired }, 'swept');
    return false;
  }

  /** The store may have been given to another installation, or another one been mounted, since the process began. */
  private async verified(sweep: () => Promise<void>): Promise<boolean> {
    await this.agreement.verify();
    await sweep();
    return false;
  }

  private async advance(): Promise<boolean> {
    await this.agreement.advance();
    return false;
  }

  private loop(name: string, pass: LoopOptions['pass'], seconds = this.options.sweepSeconds): Loop {
    const logger = {
      warn: (message: string, context?: object) => this.logger.warn(`${message} ${reason(context)}`),
    };
    return new Loop({ name, intervalMs: seconds * 1000, pass, logger });
  }
}

async function forgetSecrets(dataSource: DataSource): Promise<boolean> {
  await forgetPreviousSecrets(dataSource);
  return false;
}

async function tidied(place: Pick<WorkPlace, 'tidy'>): Promise<boolean> {
  await place.tidy();
  return false;
}

function reason(context: object | undefined): string {
  const { error } = (context ?? {}) as { error?: unknown };
  return error instanceof Error ? `(${error.message})` : '';
}
