import { rowsOf } from '@app/database';
import { audioKeyOf } from '@app/jobs';
import type { ObjectStore, OpenUpload } from '@app/storage';
import type { DataSource } from 'typeorm';

/** Every prefix under which the service writes in parts: uploads, one-shot bodies, and audio that it fetched. */
const PREFIXES = [audioKeyOf(''), 'work/'];
/** Sights running without a new part. */
const QUIET_SIGHTS = 3;

/**
 * Open multipart uploads that no job waits for: what a process was writing in parts when it was killed. They hold
 * bytes that no listing of objects shows. One whose parts do not change in three passes running is aborted; no clocks
 * are compared.
 */
export class OrphanUploads {
  private seen = new Map<string, { mark: string; sights: number }>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
  ) {}

  /** @returns how many uploads were aborted. */
  async pass(): Promise<number> {
    const found: typeof this.seen = new Map();
    let aborted = 0;
    for (const prefix of PREFIXES) {
      for await (const upload of this.store.listUploads(prefix)) {
        if (await this.isOwned(upload)) continue;
        const before = this.seen.get(upload.uploadId);
        const sights = before?.mark === upload.mark ? before.sights + 1 : 1;
        if (sights < QUIET_SIGHTS) {
          found.set(upload.uploadId, { mark: upload.mark, sights });
          continue;
        }
        await this.store.abortMultipart(upload.key, upload.uploadId);
        aborted += 1;
      }
    }
    this.seen = found;
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
