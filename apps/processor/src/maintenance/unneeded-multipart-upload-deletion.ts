import {
  markAudioIntakeAbandoned,
  parseJobIdFromKey,
  recordOrphanObservations,
  OBJECT_PREFIXES,
  type ObjectPrefix,
  type Orphan,
} from '@app/jobs';
import { readDatabaseTimeText } from '@app/database';
import { type ObjectStore, type OpenMultipartUpload, S3_PART_BYTES } from '@app/storage';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';
import { classifyMultipartUpload, type MultipartUploadCleanupDecision } from './job-objects.repository.js';
import type { OrphanDeletion } from './orphan-deletion.js';
import { AbandonedObjectTracker } from './abandoned-object-tracker.js';

const MIN_OBSERVATIONS = 3;

export interface UnneededMultipartUploadDeletionOptions {
  /** Minimum time without a change of the parts. */
  ageMs: number;
  /** Minimum transfer rate of the API: the maximum time for one part follows from it. */
  bytesPerSecond: number;
}

export interface UnneededMultipartUploadDeletionResult {
  aborted: number;
  intakes: ReadonlySet<string>;
}

/**
 * Finds uploads of killed processes, which listings of objects do not show. It aborts one whose parts have not changed
 * for three scans and the minimum time; clocks of different machines are not compared. An upload without a row is an
 * orphan.
 */
export class UnneededMultipartUploadDeletion {
  private readonly tracker: AbandonedObjectTracker;
  /** No row records whether a request body is still being received, until its intake has expired. */
  private readonly requestBodyTracker: AbandonedObjectTracker;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly orphanDeletion: OrphanDeletion,
    { ageMs, bytesPerSecond }: UnneededMultipartUploadDeletionOptions,
  ) {
    this.tracker = new AbandonedObjectTracker({ minObservations: MIN_OBSERVATIONS, minAgeMs: ageMs });
    this.requestBodyTracker = new AbandonedObjectTracker({
      minObservations: MIN_OBSERVATIONS,
      minAgeMs: ageMs + (S3_PART_BYTES / bytesPerSecond) * 1_000,
    });
  }

  /** @throws the first error, after all items; the reason of `stop` when it is aborted */
  async scan(stop: AbortSignal): Promise<UnneededMultipartUploadDeletionResult> {
    const errors = new ErrorCollector(stop);
    const intakes = new Set<string>();
    let aborted = 0;
    for (const prefix of OBJECT_PREFIXES) aborted += await this.scanPrefix(prefix, stop, errors, intakes);
    this.tracker.completeScan();
    this.requestBodyTracker.completeScan();
    errors.throwIfFailed();
    return { aborted, intakes };
  }

  private async scanPrefix(
    prefix: ObjectPrefix,
    stop: AbortSignal,
    errors: ErrorCollector,
    intakes: Set<string>,
  ): Promise<number> {
    const begunAt = await readDatabaseTimeText(this.dataSource);
    const orphans: Orphan[] = [];
    let [listed, aborted] = [0, 0];
    for await (const upload of this.store.listUploads(prefix, stop)) {
      listed += 1;
      const jobId = parseJobIdFromKey(upload.key);
      if (jobId === null) continue;
      const uploadClass = await classifyMultipartUpload(this.dataSource, upload, jobId, prefix);
      const isIntake = uploadClass === 'intake' || uploadClass === 'expired_intake';
      if (isIntake) intakes.add(jobId);
      if (uploadClass === 'orphan') orphans.push(upload);
      // Most uploads are needed: the store is asked for the parts of the others only.
      if (uploadClass === 'keep' || uploadClass === 'orphan') continue;
      if (!(await this.isAbandoned(upload, uploadClass))) continue;
      await errors.run(upload.key, async () => {
        if (isIntake && !(await markAudioIntakeAbandoned(this.dataSource, jobId))) return;
        await this.store.abortMultipart(upload.key, upload.uploadId);
      });
      aborted += 1;
    }
    await recordOrphanObservations(this.dataSource, orphans);
    const orphanScan = {
      scope: { prefix, uploads: true },
      begunAt,
      listed,
      orphans: orphans.length,
      filterStillOrphans: (due: readonly Orphan[]) => this.filterStillOrphans(due, prefix),
      remove: ({ key, uploadId }: Orphan) => this.store.abortMultipart(key, uploadId),
    };
    return aborted + (await this.orphanDeletion.deleteDueOrphans(orphanScan, errors));
  }

  private async isAbandoned(
    { uploadId, readPartsVersion }: OpenMultipartUpload,
    uploadClass: Exclude<MultipartUploadCleanupDecision, 'keep' | 'orphan'>,
  ): Promise<boolean> {
    const version = await readPartsVersion();
    // Its URLs may be being signed, and it takes no space.
    if (uploadClass === 'intake' && version === '') return false;
    const tracker = uploadClass === 'intake' ? this.requestBodyTracker : this.tracker;
    return tracker.observe(uploadId, version);
  }

  private async filterStillOrphans(due: readonly Orphan[], prefix: ObjectPrefix): Promise<Orphan[]> {
    const orphans: Orphan[] = [];
    for (const upload of due) {
      const jobId = parseJobIdFromKey(upload.key) ?? '';
      if ((await classifyMultipartUpload(this.dataSource, upload, jobId, prefix)) === 'orphan')
        orphans.push(upload);
    }
    return orphans;
  }
}
