import {
  abandonAudioIntake,
  parseJobIdFromKey,
  OBJECT_PREFIXES,
  type ObjectPrefix,
  type Orphan,
} from '@app/jobs';
import { type ObjectStore, type OpenMultipartUpload, S3_PART_BYTES } from '@app/storage';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';
import { findUploadOwner } from './job-objects.repository.js';
import type { OrphanDeletion } from './orphan-deletion.js';
import { AbandonmentTracker } from './abandonment-tracker.js';

const MIN_OBSERVATIONS = 3;

export interface UploadScanOptions {
  /** Minimum time without a change of the parts. */
  ageMs: number;
  /** Minimum transfer rate of the API: the maximum time for one part follows from it. */
  bytesPerSecond: number;
}

export interface UploadScanResult {
  aborted: number;
  intakes: ReadonlySet<string>;
}

/**
 * Finds uploads of killed processes, which listings of objects do not show. It aborts one whose parts have not changed
 * for three scans and the minimum time; clocks of different machines are not compared. An upload without a row is an
 * orphan.
 */
export class UploadScan {
  private readonly tracker: AbandonmentTracker;
  /** No row records whether a request body is still being received. */
  private readonly requestBodyTracker: AbandonmentTracker;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly orphans: OrphanDeletion,
    { ageMs, bytesPerSecond }: UploadScanOptions,
  ) {
    this.tracker = new AbandonmentTracker({ minObservations: MIN_OBSERVATIONS, minAgeMs: ageMs });
    this.requestBodyTracker = new AbandonmentTracker({
      minObservations: MIN_OBSERVATIONS,
      minAgeMs: ageMs + (S3_PART_BYTES / bytesPerSecond) * 1_000,
    });
  }

  /** @throws the first error, after all items; the reason of `stop` when it is aborted */
  async scan(stop: AbortSignal): Promise<UploadScanResult> {
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
    const begunAt = await this.orphans.now();
    const found: Orphan[] = [];
    let [listed, aborted] = [0, 0];
    for await (const upload of this.store.listUploads(prefix, stop)) {
      listed += 1;
      const jobId = parseJobIdFromKey(upload.key);
      if (jobId === null) continue;
      const owner = await findUploadOwner(this.dataSource, upload, jobId, prefix);
      if (owner === 'intake') intakes.add(jobId);
      if (owner === 'nobody') found.push(upload);
      if (owner === 'writer' || owner === 'nobody' || !this.isAbandoned(upload, owner)) continue;
      await errors.run(upload.key, async () => {
        if (owner === 'intake' && !(await abandonAudioIntake(this.dataSource, jobId))) return;
        await this.store.abortMultipart(upload.key, upload.uploadId);
      });
      aborted += 1;
    }
    await this.orphans.observe(found);
    const orphanScan = {
      scope: { prefix, uploads: true },
      begunAt,
      listed,
      filterStillOrphans: (due: readonly Orphan[]) => this.filterStillOrphans(due, prefix),
      remove: ({ key, uploadId }: Orphan) => this.store.abortMultipart(key, uploadId),
    };
    return aborted + (await this.orphans.completeScan(orphanScan, found.length, errors));
  }

  private isAbandoned(
    { uploadId, partsVersion: mark }: OpenMultipartUpload,
    owner: 'job' | 'intake',
  ): boolean {
    return (owner === 'intake' ? this.requestBodyTracker : this.tracker).isAbandoned(uploadId, mark);
  }

  private async filterStillOrphans(due: readonly Orphan[], prefix: ObjectPrefix): Promise<Orphan[]> {
    const still: Orphan[] = [];
    for (const orphan of due)
      if (
        (await findUploadOwner(this.dataSource, orphan, parseJobIdFromKey(orphan.key) ?? '', prefix)) ===
        'nobody'
      )
        still.push(orphan);
    return still;
  }
}
