import { rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';

/**
 * Names the store's multipart upload in the row of its pending job, whose life begins anew: `uploadSeconds` from now.
 * Nobody is to be given an address of the upload before: every byte that arrives then has a row that leads to it.
 * @returns false when the job ended meanwhile; the upload is then the caller's to abort.
 */
export async function attachUpload(
  dataSource: DataSource,
  jobId: string,
  { uploadId, uploadSeconds }: { uploadId: string; uploadSeconds: number },
): Promise<boolean> {
  const attached = await rowsOf(
    dataSource,
    `UPDATE job SET upload_id = $2, upload_expires_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND upload_id IS NULL AND queued_at IS NULL AND status = 'processing' RETURNING id`,
    [jobId, uploadId, uploadSeconds],
  );
  return attached.length === 1;
}
