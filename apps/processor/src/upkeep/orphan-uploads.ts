import { rowsOf } from '@app/database';
import { audioKeyOf } from '@app/jobs';
import type { ObjectStore, OpenUpload } from '@app/storage';
import type { DataSource } from 'typeorm';
import { Suspects } from './suspects.js';

/** Every prefix under which the service writes in parts: uploads, one-shot bodies, and audio that it fetched. */
const PREFIXES = [audioKeyOf(''), 'work/'];
/** Sights running without a new part. */
const QUIET_SIGHTS = 3;

/**
 * Open multipart uploads that no job waits for: what a process was writing in parts when it was killed. They hold
 * bytes that no listing of objects shows. One whose parts do not change in three passes running is aborted, when
 * these lie far enough apart: a slow sender takes its time for a part. No clocks of two machines are compared.
 */
export class OrphanUploads {
  private readonly suspects: Suspects;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    ageMs: number,
  ) {
    this.suspects = new Suspects({ sights: QUIET_SIGHTS, ageMs });
  }

  /** @returns how many uploads were aborted. @throws the reason of `stop` when it is aborted */
  async pass(stop: AbortSignal): Promise<number> {
    let aborted = 0;
    for (const prefix of PREFIXES) {
      for await (const upload of this.store.listUploads(prefix, stop)) {
        if (await this.isOwned(upload)) continue;
        if (!this.suspects.isAbandoned(upload.uploadId, upload.mark)) continue;
        await this.store.abortMultipart(upload.key, upload.uploadId);
        aborted += 1;
      }
    }
    this.suspects.endPass();
    return aborted;
  }

  private async isOwned({ key, uploadId }: OpenUpload): Promise<boolean> {
    const owners = await rowsOf(
      this.dataSource,
      `SELECT id FROM job WHERE id::text = split_part($1, '/', 2) AND upload_id = $2 AND audio_deleted_at IS NULL`,
      [key, uploadId],
    );
    return owners.length > 0;
  }
}
