import { rowsOf } from '@app/database';
import { audioKeyOf } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Attempts } from './attempts.js';
import { Suspects } from './suspects.js';

const BATCH = 500;
const SIGHTS = 2;
const AUDIO_PREFIX = audioKeyOf('');

/**
 * Audio that nobody will ask for: a one-shot request stores its audio before its job is written, and a crash may fall
 * between; an upload address may be used once more after its job has ended. What is found without an owner in two
 * passes running that lie far enough apart is deleted: in the first one its job may be about to be written. No clocks of two
 * machines are compared.
 */
export class Orphans {
  private readonly suspects: Suspects;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    ageMs: number,
  ) {
    this.suspects = new Suspects({ sights: SIGHTS, ageMs });
  }

  /**
   * @returns how many objects were deleted
   * @throws the first trouble, when all were tried; the reason of `stop` when it is aborted
   */
  async pass(stop: AbortSignal): Promise<number> {
    const found = new Set<string>();
    let batch: string[] = [];
    for await (const { key } of this.store.list(AUDIO_PREFIX, stop)) {
      const jobId = key.slice(AUDIO_PREFIX.length);
      if (isUuid(jobId)) batch.push(jobId);
      if (batch.length < BATCH) continue;
      for (const id of await this.unowned(batch)) found.add(id);
      batch = [];
    }
    for (const id of await this.unowned(batch)) found.add(id);
    const orphans = [...found].filter((id) => this.suspects.isAbandoned(id));
    this.suspects.endPass();
    const attempts = new Attempts(stop);
    for (const key of orphans.map(audioKeyOf)) await attempts.make(key, () => this.store.delete(key));
    attempts.end();
    return orphans.length;
  }

  private async unowned(jobIds: string[]): Promise<string[]> {
    if (jobIds.length === 0) return [];
    const rows = await rowsOf<{ id: string }>(
      this.dataSource,
      `SELECT given.id FROM unnest($1::uuid[]) AS given (id)
       WHERE NOT EXISTS (SELECT FROM job WHERE job.id = given.id AND job.audio_deleted_at IS NULL)`,
      [jobIds],
    );
    return rows.map(({ id }) => id);
  }
}
