import { JOB_EFFECTS, type JobEffects, Loop, Relay, sweep } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { deleteAudio } from './delete-audio.js';
import { Orphans } from './orphans.js';

/** Seconds; an orphan is deleted at its second sight, well within the half hour that audio may be kept. */
const LOOK_FOR_ORPHANS_EVERY = 300;

/** Looks every so often for what crashes, lost queues and absent callers left behind. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Upkeep.name);
  private readonly loops: Loop[];

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(JOB_EFFECTS) private readonly effects: JobEffects,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
  ) {
    const orphans = new Orphans(dataSource, store);
    this.loops = [
      this.loop('sweep', () => this.sweep()),
      this.loop('audio deletion', () => this.clean()),
      this.loop('orphan deletion', () => this.deleteOrphans(orphans), LOOK_FOR_ORPHANS_EVERY),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private async sweep(): Promise<boolean> {
    const { abandoned, redelivered, expired } = await sweep(this.dataSource, this.effects, this.options);
    if (abandoned + redelivered > 0) this.relay.nudge();
    if (abandoned + redelivered + expired > 0)
      this.logger.warn(`sweep: ${abandoned} abandoned, ${redelivered} delivered again, ${expired} expired`);
    return false;
  }

  private clean(): Promise<boolean> {
    return deleteAudio(this.dataSource, this.store, this.options.leaseSeconds);
  }

  private async deleteOrphans(orphans: Orphans): Promise<boolean> {
    const deleted = await orphans.pass();
    if (deleted > 0) this.logger.warn(`deleted ${deleted} audio objects without a job`);
    return false;
  }

  private loop(name: string, pass: () => Promise<boolean>, seconds = this.options.sweepSeconds): Loop {
    const logger = {
      warn: (message: string, context?: object) => this.logger.warn(`${message} ${reason(context)}`),
    };
    return new Loop({ name, intervalMs: seconds * 1000, pass, logger });
  }
}

function reason(context: object | undefined): string {
  const { error } = (context ?? {}) as { error?: unknown };
  return error instanceof Error ? `(${error.message})` : '';
}
