import {
  abandonAudioIntake,
  forgetAudioIntake,
  jobIdOf,
  type ObjectPrefix,
  objectVerdicts,
  type Orphan,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { Attempts } from './attempts.js';
import type { OrphanDeletion } from './orphan-deletion.js';
import { Suspects } from './suspects.js';

const BATCH = 500;
const SIGHTS = 2;

export interface ObjectSweepParts {
  dataSource: DataSource;
  store: ObjectStore;
  orphans: OrphanDeletion;
  /** For how long bytes must have lain there of which a request may still be making a job. */
  ageMs: number;
}

export interface ObjectSweepResult {
  /** Deleted as a row said that they may be. */
  released: number;
  orphans: number;
  /** Jobs of which an intake has stored audio. */
  intakes: ReadonlySet<string>;
}

/**
 * Looks through everything under a prefix. What a row says nobody needs is deleted: that of a job that was cleaned, which a
 * frozen worker or a late upload stored; and the audio of a request that was cut before its job was created, once it has
 * been seen twice. What no row speaks of is an orphan. Keys that name no job are somebody else's.
 */
export class ObjectSweep {
  private readonly suspects: Suspects;

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly parts: ObjectSweepParts,
  ) {
    this.suspects = new Suspects({ sights: SIGHTS, ageMs: parts.ageMs });
  }

  /** @throws the first trouble, when all were tried; the reason of `stop` when it is aborted */
  async pass(stop: AbortSignal): Promise<ObjectSweepResult> {
    const { store, orphans } = this.parts;
    const look = new Look(this.prefix, this.parts, new Attempts(stop), this.suspects);
    const begunAt = await orphans.now();
    let [listed, batch]: [number, string[]] = [0, []];
    for await (const { key } of store.list(this.prefix, stop)) {
      listed += 1;
      if (jobIdOf(key) !== null) batch.push(key);
      if (batch.length < BATCH) continue;
      await look.at(batch);
      batch = [];
    }
    await look.at(batch);
    this.suspects.endPass();
    const { seen, attempts, intakes } = look;
    const pass = {
      scope: { prefix: this.prefix, uploads: false },
      begunAt,
      listed,
      stillOrphans: (due: readonly Orphan[]) => this.stillOrphans(due),
      remove: ({ key }: Orphan) => store.delete(key),
    };
    const deleted = await orphans.end(pass, seen, attempts);
    attempts.end();
    return { released: look.released, orphans: deleted, intakes };
  }

  private async stillOrphans(due: readonly Orphan[]): Promise<Orphan[]> {
    const keys = due.map(({ key }) => key);
    const verdicts = await objectVerdicts(this.parts.dataSource, this.prefix, keys);
    return due.filter(({ key }) => verdicts.get(key) === 'orphan');
  }
}

/** One pass, batch by batch. */
class Look {
  seen = 0;
  released = 0;
  readonly intakes = new Set<string>();

  constructor(
    private readonly prefix: ObjectPrefix,
    private readonly parts: ObjectSweepParts,
    readonly attempts: Attempts,
    private readonly suspects: Suspects,
  ) {}

  async at(keys: readonly string[]): Promise<void> {
    const { dataSource, orphans } = this.parts;
    const found: Orphan[] = [];
    for (const [key, verdict] of await objectVerdicts(dataSource, this.prefix, keys)) {
      if (verdict === 'orphan') found.push({ key, uploadId: '' });
      if (verdict === 'delete') await this.release(key);
      if (verdict === 'intake') await this.releaseIntake(key);
    }
    this.seen += found.length;
    await orphans.observe(found);
  }

  /** Audio waits: whoever stored it after its job was cleaned may still be told so. */
  private async release(key: string): Promise<void> {
    if (this.prefix === 'audio/' && !this.suspects.isAbandoned(key)) return;
    await this.attempts.make(key, () => this.parts.store.delete(key));
    this.released += 1;
  }

  private async releaseIntake(key: string): Promise<void> {
    const jobId = jobIdOf(key) ?? '';
    this.intakes.add(jobId);
    if (!this.suspects.isAbandoned(key)) return;
    await this.attempts.make(key, async () => {
      const { dataSource, store } = this.parts;
      if (!(await abandonAudioIntake(dataSource, jobId))) return;
      await store.delete(key);
      await forgetAudioIntake(dataSource, jobId);
      this.released += 1;
    });
  }
}
