import { forgetExpiredIntakes } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { ProcessorOptions } from '../processor-options.js';
import { Attempts } from './attempts.js';
import { ObjectSweep } from './object-sweep.js';
import { allowedDeletions, OrphanDeletion } from './orphan-deletion.js';
import type { OrphanMetrics } from './orphan-metrics.js';
import { OrphanUploads } from './orphan-uploads.js';

/** Seconds after a silent sender was cut in which its half written file has gone, if its process lives. */
const CUT_WITHIN = 10;

export type StoreSweepOptions = Pick<
  ProcessorOptions,
  | 'orphanAgeSeconds'
  | 'orphanSweepSeconds'
  | 'orphanRetentionDays'
  | 'orphanDelaySeconds'
  | 'bodyIdleSeconds'
  | 'bodyBytesPerSecond'
>;

/** Looks through the object store for what crashes, frozen workers and absent callers left in it. */
export class StoreSweep {
  private readonly logger = new Logger(StoreSweep.name);
  private readonly orphans: OrphanDeletion;
  private readonly uploads: OrphanUploads;
  private readonly audio: ObjectSweep;
  private readonly work: ObjectSweep;
  private readonly transcripts: ObjectSweep;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly options: StoreSweepOptions,
    metrics: Pick<OrphanMetrics, 'observed' | 'held' | 'deleted'>,
  ) {
    const ageMs = options.orphanAgeSeconds * 1000;
    const policy = { retentionDays: options.orphanRetentionDays, delaySeconds: options.orphanDelaySeconds };
    this.orphans = new OrphanDeletion(dataSource, policy, this.logger, metrics);
    const parts = { dataSource, store, orphans: this.orphans, ageMs };
    this.uploads = new OrphanUploads(dataSource, store, this.orphans, {
      ageMs,
      bytesPerSecond: options.bodyBytesPerSecond,
    });
    this.audio = new ObjectSweep('audio/', parts);
    this.work = new ObjectSweep('work/', parts);
    this.transcripts = new ObjectSweep('transcripts/', parts);
  }

  /** Of audio and what is made of it, which may not stay. @throws the first trouble, when every step was tried */
  async passOverAudio(stop: AbortSignal): Promise<void> {
    const { bodyIdleSeconds, orphanSweepSeconds } = this.options;
    const quiet = Math.max(bodyIdleSeconds + CUT_WITHIN, 2 * orphanSweepSeconds);
    const begunAt = await this.orphans.now();
    const steps = new Attempts(stop);
    const halfWritten = (await steps.make('half written', () => this.store.sweep(quiet))) ?? 0;
    const uploads = await steps.make('open uploads', () => this.uploads.pass(stop));
    const work = await steps.make('work', () => this.work.pass(stop));
    const audio = await steps.make('audio', () => this.audio.pass(stop));
    if (uploads && audio) {
      const found = new Set([...uploads.intakes, ...audio.intakes]);
      await steps.make('audio intakes', () => forgetExpiredIntakes(this.dataSource, begunAt, found));
    }
    this.report({
      audio: audio?.released ?? 0,
      work: work?.released ?? 0,
      open_uploads: uploads?.aborted ?? 0,
      half_written: halfWritten,
    });
    steps.end();
  }

  /** Of transcripts, and of what lies on the disk of the store and is no object. @throws as `passOverAudio` */
  async passOverTranscripts(stop: AbortSignal): Promise<void> {
    const steps = new Attempts(stop);
    const transcripts = await steps.make('transcripts', () => this.transcripts.pass(stop));
    this.report({ transcripts: transcripts?.released ?? 0 });
    if (this.options.orphanRetentionDays > 0)
      await steps.make('unreferenced data', () => this.unreferenced());
    steps.end();
  }

  private async unreferenced(): Promise<void> {
    const { orphanRetentionDays: minAgeDays, orphanDelaySeconds } = this.options;
    if (performance.now() < orphanDelaySeconds * 1000) return;
    const swept = await this.store.sweepUnreferenced({ minAgeDays, allowed: allowedDeletions });
    if (swept.removed > 0) this.logger.warn(swept, 'deleted data of the file store that no object refers to');
    else if (swept.found > 0)
      this.logger.warn(
        swept,
        `kept ${swept.found} data files of ${swept.examined} that no object refers to: records of objects may be missing in DATA_DIR/objects`,
      );
  }

  private report(deleted: Record<string, number>): void {
    const some = Object.entries(deleted).filter(([, count]) => count > 0);
    if (some.length === 0) return;
    const text = some.map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`).join(', ');
    this.logger.warn(Object.fromEntries(some), `deleted what no job needs any more: ${text}`);
  }
}
