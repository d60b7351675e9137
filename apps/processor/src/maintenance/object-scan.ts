import {
  abandonAudioIntake,
  deleteAudioIntake,
  parseJobId,
  type ObjectPrefix,
  classifyObjects,
  type Orphan,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';
import type { OrphanDeletion } from './orphan-deletion.js';
import { AbandonmentTracker } from './abandonment-tracker.js';

const BATCH = 500;
const MIN_OBSERVATIONS = 2;

export interface ObjectScanDependencies {
  dataSource: DataSource;
  store: ObjectStore;
  orphans: OrphanDeletion;
  /** Minimum age of audio whose request may still create a job. */
  ageMs: number;
}

export interface ObjectScanResult {
  /** Objects that a row marked for deletion. */
  deleted: number;
  orphansDeleted: number;
  /** Ids of jobs whose intake has stored audio. */
  intakes: ReadonlySet<string>;
}

/**
 * Scans the objects of a prefix. It deletes what a row marks as unneeded: objects that a paused worker or a late
 * upload stored after the cleanup of their job, and, at the second observation, audio of a request that ended
 * before its job was created. Objects without a row are orphans. Keys without a job id belong to other software.
 */
export class ObjectScan {
  private readonly tracker: AbandonmentTracker;

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly dependencies: ObjectScanDependencies,
  ) {
    this.tracker = new AbandonmentTracker({
      minObservations: MIN_OBSERVATIONS,
      minAgeMs: dependencies.ageMs,
    });
  }

  /** @throws the first error, after all items; the reason of `stop` when it is aborted */
  async scan(stop: AbortSignal): Promise<ObjectScanResult> {
    const { store, orphans } = this.dependencies;
    const look = new ScanRun(this.prefix, this.dependencies, new ErrorCollector(stop), this.tracker);
    const begunAt = await orphans.now();
    let [listed, batch]: [number, string[]] = [0, []];
    for await (const { key } of store.list(this.prefix, stop)) {
      listed += 1;
      if (parseJobId(key) !== null) batch.push(key);
      if (batch.length < BATCH) continue;
      await look.processBatch(batch);
      batch = [];
    }
    await look.processBatch(batch);
    this.tracker.completeScan();
    const { orphansSeen: seen, errors: attempts, intakes } = look;
    const pass = {
      scope: { prefix: this.prefix, uploads: false },
      begunAt,
      listed,
      filterStillOrphans: (due: readonly Orphan[]) => this.filterStillOrphans(due),
      remove: ({ key }: Orphan) => store.delete(key),
    };
    const deleted = await orphans.completeScan(pass, seen, attempts);
    attempts.throwIfFailed();
    return { deleted: look.deleted, orphansDeleted: deleted, intakes };
  }

  private async filterStillOrphans(due: readonly Orphan[]): Promise<Orphan[]> {
    const keys = due.map(({ key }) => key);
    const verdicts = await classifyObjects(this.dependencies.dataSource, this.prefix, keys);
    return due.filter(({ key }) => verdicts.get(key) === 'orphan');
  }
}

/** One scan, in batches. */
class ScanRun {
  orphansSeen = 0;
  deleted = 0;
  readonly intakes = new Set<string>();

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly dependencies: ObjectScanDependencies,
    readonly errors: ErrorCollector,
    private readonly tracker: AbandonmentTracker,
  ) {}

  async processBatch(keys: readonly string[]): Promise<void> {
    const { dataSource, orphans } = this.dependencies;
    const found: Orphan[] = [];
    for (const [key, verdict] of await classifyObjects(dataSource, this.prefix, keys)) {
      if (verdict === 'orphan') found.push({ key, uploadId: '' });
      if (verdict === 'delete') await this.deleteUnneeded(key);
      if (verdict === 'intake') await this.deleteIntake(key);
    }
    this.orphansSeen += found.length;
    await orphans.observe(found);
  }

  /**
   * Audio is deleted at the second observation: the client that stored it after the cleanup may still get its
   * response.
   */
  private async deleteUnneeded(key: string): Promise<void> {
    if (this.prefix === 'audio/' && !this.tracker.isAbandoned(key)) return;
    await this.errors.run(key, () => this.dependencies.store.delete(key));
    this.deleted += 1;
  }

  private async deleteIntake(key: string): Promise<void> {
    const jobId = parseJobId(key) ?? '';
    this.intakes.add(jobId);
    if (!this.tracker.isAbandoned(key)) return;
    await this.errors.run(key, async () => {
      const { dataSource, store } = this.dependencies;
      if (!(await abandonAudioIntake(dataSource, jobId))) return;
      await store.delete(key);
      await deleteAudioIntake(dataSource, jobId);
      this.deleted += 1;
    });
  }
}
