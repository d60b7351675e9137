import { rowsOf } from '@app/database';
import { audioKeyOf, type QueueName } from '@app/jobs';
import { type ObjectStore, type OpenUpload, PART_BYTES } from '@app/storage';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Attempts } from './attempts.js';
import { Suspects } from './suspects.js';

/** Every prefix under which the service writes in parts, and the stage that does: for `audio/` that is an API. */
const WRITERS = new Map<string, QueueName | null>([
  [audioKeyOf(''), null],
  ['work/', 'preprocess'],
  ['transcripts/', 'aggregation'],
]);
/** Sights running without a new part. */
const QUIET_SIGHTS = 3;

export interface OrphanUploadsOptions {
  /** How long parts must not have changed. */
  ageMs: number;
  /** What an API asks of the sender of a body: one that keeps to it may take this long for a part. */
  bytesPerSecond: number;
}

/**
 * Open multipart uploads that nobody goes on with: what a process was writing in parts when it was killed. They hold
 * bytes that no listing of objects shows. One whose parts do not change in three passes running is aborted, when
 * these lie far enough apart. No clocks of two machines are compared.
 */
export class OrphanUploads {
  private readonly suspects: Suspects;
  /** Of which no row tells whether they are on their way: the job of a one-shot request is written when its body is there. */
  private readonly bodies: Suspects;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    { ageMs, bytesPerSecond }: OrphanUploadsOptions,
  ) {
    this.suspects = new Suspects({ sights: QUIET_SIGHTS, ageMs });
    this.bodies = new Suspects({
      sights: QUIET_SIGHTS,
      ageMs: ageMs + (PART_BYTES / bytesPerSecond) * 1_000,
    });
  }

  /**
   * @returns how many uploads were aborted
   * @throws the first trouble, when all were tried; the reason of `stop` when it is aborted
   */
  async pass(stop: AbortSignal): Promise<number> {
    const attempts = new Attempts(stop);
    let aborted = 0;
    for (const [prefix, writer] of WRITERS) {
      for await (const upload of this.store.listUploads(prefix, stop)) {
        const { isOwned, hasJob } = await this.ownerOf(upload, writer);
        if (isOwned) continue;
        const suspects = writer === null && !hasJob ? this.bodies : this.suspects;
        if (!suspects.isAbandoned(upload.uploadId, upload.mark)) continue;
        await attempts.make(upload.key, () => this.store.abortMultipart(upload.key, upload.uploadId));
        aborted += 1;
      }
    }
    this.suspects.endPass();
    this.bodies.endPass();
    attempts.end();
    return aborted;
  }

  /** An upload is its job's until that is cleaned, or of the very start of a stage that its key names, as long as that runs. */
  private async ownerOf({ key, uploadId }: OpenUpload, writer: QueueName | null) {
    const [, jobId = '', start = ''] = key.split('/');
    const nobody = { isOwned: false, hasJob: false };
    if (!isUuid(jobId)) return nobody;
    const [owner] = await rowsOf<typeof nobody>(
      this.dataSource,
      `SELECT true AS "hasJob", upload_id IS NOT DISTINCT FROM $2 AND audio_deleted_at IS NULL OR EXISTS (
         SELECT FROM job_stage WHERE job_id = job.id AND queue = $3 AND 'f' || fence = $4 AND state = 'running'
       ) AS "isOwned" FROM job WHERE id = $1::uuid`,
      [jobId, uploadId, writer, start],
    );
    return owner ?? nobody;
  }
}
