import {
  markAudioIntakeAbandoned,
  deleteAudioIntake,
  parseJobIdFromKey,
  type ObjectPrefix,
  classifyStoredObjects,
  recordOrphanObservations,
  type Orphan,
} from '@app/jobs';
import { readDatabaseTimeText } from '@app/database';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';
import type { OrphanDeletion } from './orphan-deletion.js';
import { AbandonedObjectTracker } from './abandoned-object-tracker.js';

const BATCH = 500;
const MIN_OBSERVATIONS = 2;

export interface UnneededObjectDeletionOptions {
  dataSource: DataSource;
  store: ObjectStore;
  orphans: OrphanDeletion;
  /** Minimum age of audio whose request may still create a job. */
  ageMs: number;
}

export interface UnneededObjectDeletionResult {
  deleted: number;
  /** Ids of jobs whose intake has stored audio. */
  intakes: ReadonlySet<string>;
}

/**
 * Deletes what a row marks as unneeded, and audio of requests that ended before their job was created. Objects without
 * a row are orphans. Keys without a job id belong to other software.
 */
export class UnneededObjectDeletion {
  private readonly tracker: AbandonedObjectTracker;

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly dependencies: UnneededObjectDeletionOptions,
  ) {
    this.tracker = new AbandonedObjectTracker({
      minObservations: MIN_OBSERVATIONS,
      minAgeMs: dependencies.ageMs,
    });
  }

  /** @throws the first error, after all items; the reason of `stop` when it is aborted */
  async scan(stop: AbortSignal): Promise<UnneededObjectDeletionResult> {
    const { dataSource, store, orphans } = this.dependencies;
    const run = new ScanRun(this.prefix, this.dependencies, new ErrorCollector(stop), this.tracker);
    const begunAt = await readDatabaseTimeText(dataSource);
    let [listed, batch]: [number, string[]] = [0, []];
    for await (const { key } of store.list(this.prefix, stop)) {
      listed += 1;
      if (parseJobIdFromKey(key) !== null) batch.push(key);
      if (batch.length < BATCH) continue;
      await run.processBatch(batch);
      batch = [];
    }
    await run.processBatch(batch);
    this.tracker.completeScan();
    const { errors, intakes } = run;
    const orphanScan = {
      scope: { prefix: this.prefix, uploads: false },
      begunAt,
      listed,
      orphans: run.orphansSeen,
      filterStillOrphans: (due: readonly Orphan[]) => this.filterStillOrphans(due),
      remove: ({ key }: Orphan) => store.delete(key),
    };
    await orphans.deleteDueOrphans(orphanScan, errors);
    errors.throwIfFailed();
    return { deleted: run.deleted, intakes };
  }

  private async filterStillOrphans(due: readonly Orphan[]): Promise<Orphan[]> {
    const keys = due.map(({ key }) => key);
    const verdicts = await classifyStoredObjects(this.dependencies.dataSource, this.prefix, keys);
    return due.filter(({ key }) => verdicts.get(key) === 'orphan');
  }
}

class ScanRun {
  orphansSeen = 0;
  deleted = 0;
  readonly intakes = new Set<string>();

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly dependencies: UnneededObjectDeletionOptions,
    readonly errors: ErrorCollector,
    private readonly tracker: AbandonedObjectTracker,
  ) {}

  async processBatch(keys: readonly string[]): Promise<void> {
    const { dataSource } = this.dependencies;
    const found: Orphan[] = [];
    for (const [key, verdict] of await classifyStoredObjects(dataSource, this.prefix, keys)) {
      if (verdict === 'orphan') found.push({ key, uploadId: '' });
      if (verdict === 'delete') await this.deleteUnneeded(key);
      if (verdict === 'intake') await this.deleteIntake(key);
    }
    this.orphansSeen += found.length;
    await recordOrphanObservations(dataSource, found);
  }

  /** Waits for the second observation of audio: its client may still get a response. */
  private async deleteUnneeded(key: string): Promise<void> {
    if (this.prefix === 'audio/' && !this.tracker.observe(key)) return;
    await this.errors.run(key, () => this.dependencies.store.delete(key));
    this.deleted += 1;
  }

  private async deleteIntake(key: string): Promise<void> {
    const jobId = parseJobIdFromKey(key) ?? '';
    this.intakes.add(jobId);
    if (!this.tracker.observe(key)) return;
    await this.errors.run(key, async () => {
      const { dataSource, store } = this.dependencies;
      if (!(await markAudioIntakeAbandoned(dataSource, jobId))) return;
      await store.delete(key);
      await deleteAudioIntake(dataSource, jobId);
      this.deleted += 1;
    });
  }
}
