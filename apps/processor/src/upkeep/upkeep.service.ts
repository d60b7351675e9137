import { JOB_EFFECTS, type JobEffects, Loop, type LoopOptions, Relay, Sweeper } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { WorkPlace } from '../work-place.js';
import { Attempts } from './attempts.js';
import { audioDeletion } from './delete-audio.js';
import { transcriptDeletion } from './delete-transcripts.js';
import { forgetKeys } from './forget-keys.js';
import { OrphanUploads } from './orphan-uploads.js';
import { Orphans } from './orphans.js';
import { deleteStrays } from './stray-objects.js';

/** Seconds. Listing every transcript there is takes a while, and a stray one harms nobody meanwhile. */
const LOOK_FOR_STRAY_TRANSCRIPTS_EVERY = 6 * 3600;
const LOOK_FOR_OLD_TRANSCRIPTS_EVERY = 60;
/** Seconds after a silent sender was cut in which its half written file has gone, if its process lives. */
const CUT_WITHIN = 10;
/** Seconds. An expired key is free before its row is gone: this is only about space. */
const FORGET_KEYS_EVERY = 60;
const TIDY_EVERY = 60;

/** Looks every so often for what crashes, lost queues and absent callers left behind. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap {
  private readonly logger = new Logger(Upkeep.name);
  private readonly loops: Loop[];

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(JOB_EFFECTS) effects: JobEffects,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(WorkPlace) place: Pick<WorkPlace, 'tidy'>,
  ) {
    const { orphanSweepSeconds, transcriptDays } = options;
    const ageMs = options.orphanAgeSeconds * 1000;
    const audio = audioDeletion(dataSource, store, options.leaseSeconds);
    const transcripts = transcriptDeletion(dataSource, store, transcriptDays);
    const orphans = new Orphans(dataSource, store, ageMs);
    const uploads = new OrphanUploads(dataSource, store, {
      ageMs,
      bytesPerSecond: options.bodyBytesPerSecond,
    });
    const sweeper = new Sweeper(dataSource, effects, options);
    this.loops = [
      this.loop('sweep', () => this.sweep(sweeper)),
      this.loop('audio deletion', (stop) => audio.pass(stop)),
      this.loop('forgetting of idempotency keys', () => forgetKeys(dataSource), FORGET_KEYS_EVERY),
      this.loop('tidying of work folders', () => tidied(place), TIDY_EVERY),
      this.loop('orphan deletion', (stop) => this.deleteOrphans(orphans, uploads, stop), orphanSweepSeconds),
      this.loop(
        'stray transcripts',
        (stop) => this.deleteStrayTranscripts(stop),
        LOOK_FOR_STRAY_TRANSCRIPTS_EVERY,
      ),
    ];
    if (transcriptDays > 0)
      this.loops.push(
        this.loop('transcript retention', (stop) => transcripts.pass(stop), LOOK_FOR_OLD_TRANSCRIPTS_EVERY),
      );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Passes under way end with what they are looking at. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private async sweep(sweeper: Sweeper): Promise<boolean> {
    const { abandoned, redelivered, expired } = await sweeper.pass();
    if (abandoned + redelivered > 0) this.relay.nudge();
    if (abandoned + redelivered + expired > 0)
      this.logger.warn(`sweep: ${abandoned} abandoned, ${redelivered} delivered again, ${expired} expired`);
    return false;
  }

  private async deleteOrphans(orphans: Orphans, uploads: OrphanUploads, stop: AbortSignal): Promise<boolean> {
    const quiet = Math.max(this.options.bodyIdleSeconds + CUT_WITHIN, 2 * this.options.orphanSweepSeconds);
    const { dataSource, store } = this;
    const steps = new Attempts(stop);
    const written = (await steps.make('half written', () => store.sweep(quiet))) ?? 0;
    const parts = (await steps.make('open uploads', () => uploads.pass(stop))) ?? 0;
    const work = (await steps.make('work', () => deleteStrays(dataSource, store, 'work', stop))) ?? 0;
    const audio = (await steps.make('audio', () => orphans.pass(stop))) ?? 0;
    if (written + parts + work + audio > 0)
      this.logger.warn(
        `deleted without a job: ${audio} audio, ${work} work, ${parts} open uploads, ${written} half written`,
      );
    steps.end();
    return false;
  }

  private async deleteStrayTranscripts(stop: AbortSignal): Promise<boolean> {
    const deleted = await deleteStrays(this.dataSource, this.store, 'transcripts', stop);
    if (deleted > 0) this.logger.warn(`deleted ${deleted} transcript objects that no job points to`);
    return false;
  }

  private loop(name: string, pass: LoopOptions['pass'], seconds = this.options.sweepSeconds): Loop {
    const logger = {
      warn: (message: string, context?: object) => this.logger.warn(`${message} ${reason(context)}`),
    };
    return new Loop({ name, intervalMs: seconds * 1000, pass, logger });
  }
}

async function tidied(place: Pick<WorkPlace, 'tidy'>): Promise<boolean> {
  await place.tidy();
  return false;
}

function reason(context: object | undefined): string {
  const { error } = (context ?? {}) as { error?: unknown };
  return error instanceof Error ? `(${error.message})` : '';
}
