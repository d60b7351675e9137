import { readDatabaseTimeText } from '@app/database';
import { deleteExpiredIntakesWithoutAudio } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { ProcessorOptions } from '../processor-options.js';
import { ErrorCollector } from './error-collector.js';
import { UnneededObjectDeletion } from './unneeded-object-deletion.js';
import { computeMaxOrphanDeletions, OrphanDeletion } from './orphan-deletion.js';
import type { OrphanMetrics } from './orphan-metrics.js';
import { UnneededMultipartUploadDeletion } from './unneeded-multipart-upload-deletion.js';

/** A live process deletes the incomplete file within this time after the idle timeout. */
const DISCONNECT_MARGIN_SECONDS = 10;

export type StoreCleanupScanOptions = Pick<
  ProcessorOptions,
  | 'unneededAudioSeconds'
  | 'storeScanSeconds'
  | 'orphanRetentionDays'
  | 'orphanDelaySeconds'
  | 'bodyIdleSeconds'
  | 'bodyBytesPerSecond'
>;

/** Finds objects that crashes, paused workers and absent callers left behind. */
export class StoreCleanupScan {
  private readonly logger = new Logger(StoreCleanupScan.name);
  private readonly uploads: UnneededMultipartUploadDeletion;
  private readonly audio: UnneededObjectDeletion;
  private readonly work: UnneededObjectDeletion;
  private readonly transcripts: UnneededObjectDeletion;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly options: StoreCleanupScanOptions,
    metrics: Pick<OrphanMetrics, 'setObserved' | 'setHeld' | 'addDeleted'>,
  ) {
    const ageMs = options.unneededAudioSeconds * 1000;
    const policy = {
      retentionDays: options.orphanRetentionDays,
      minUptimeSeconds: options.orphanDelaySeconds,
    };
    const orphans = new OrphanDeletion(dataSource, policy, this.logger, metrics);
    const scanOptions = { dataSource, store, orphans, ageMs };
    this.uploads = new UnneededMultipartUploadDeletion(dataSource, store, orphans, {
      ageMs,
      bytesPerSecond: options.bodyBytesPerSecond,
    });
    this.audio = new UnneededObjectDeletion('audio/', scanOptions);
    this.work = new UnneededObjectDeletion('work/', scanOptions);
    this.transcripts = new UnneededObjectDeletion('transcripts/', scanOptions);
  }

  /** @throws the first error, after every step */
  async scanAllButTranscripts(stop: AbortSignal): Promise<void> {
    const { bodyIdleSeconds, storeScanSeconds } = this.options;
    const idleSeconds = Math.max(bodyIdleSeconds + DISCONNECT_MARGIN_SECONDS, 2 * storeScanSeconds);
    const begunAt = await readDatabaseTimeText(this.dataSource);
    const steps = new ErrorCollector(stop);
    const halfWritten =
      (await steps.run('half written', () => this.store.deleteStaleTemporaryFiles(idleSeconds))) ?? 0;
    const uploads = await steps.run('open uploads', () => this.uploads.scan(stop));
    const work = await steps.run('work', () => this.work.scan(stop));
    const audio = await steps.run('audio', () => this.audio.scan(stop));
    if (uploads && audio) {
      const found = new Set([...uploads.intakes, ...audio.intakes]);
      await steps.run('audio intakes', () =>
        deleteExpiredIntakesWithoutAudio(this.dataSource, begunAt, found),
      );
    }
    this.report({
      audio: audio?.deleted ?? 0,
      work: work?.deleted ?? 0,
      open_uploads: uploads?.aborted ?? 0,
      half_written: halfWritten,
    });
    steps.throwIfFailed();
  }

  /** Includes temporary files of the file store. @throws the first error, after every step */
  async scanTranscripts(stop: AbortSignal): Promise<void> {
    const steps = new ErrorCollector(stop);
    const transcripts = await steps.run('transcripts', () => this.transcripts.scan(stop));
    this.report({ transcripts: transcripts?.deleted ?? 0 });
    if (this.options.orphanRetentionDays > 0)
      await steps.run('unreferenced data', () => this.deleteUnreferencedData(stop));
    steps.throwIfFailed();
  }

  private async deleteUnreferencedData(stop: AbortSignal): Promise<void> {
    const { orphanRetentionDays: minAgeDays, orphanDelaySeconds } = this.options;
    if (performance.now() < orphanDelaySeconds * 1000) return;
    const options = { minAgeDays, maxRemovals: computeMaxOrphanDeletions, stop };
    const result = await this.store.deleteUnreferencedData(options);
    stop.throwIfAborted();
    if (result.removed > 0)
      this.logger.warn(result, 'deleted data of the file store that no object refers to');
    else if (result.found > 0)
      this.logger.warn(
        result,
        `kept ${result.found} data files of ${result.examined} that no object refers to: records of objects may be missing in DATA_DIR/objects`,
      );
  }

  private report(deleted: Record<string, number>): void {
    const some = Object.entries(deleted).filter(([, count]) => count > 0);
    if (some.length === 0) return;
    const text = some.map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`).join(', ');
    this.logger.warn(Object.fromEntries(some), `deleted unneeded objects: ${text}`);
  }
}
