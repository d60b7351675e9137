import { rowsOf } from '@app/database';
import { workPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

const BATCH = 20;

interface EndedJob {
  id: string;
  audioKey: string;
  uploadId: string | null;
}

/**
 * Deletes the audio and the intermediate objects of jobs that have ended. A job that failed or was cancelled is
 * left for `quietSeconds`, until no worker can be writing for it any more. A crash in between repeats the deletion.
 * @returns true when there may be more.
 */
export async function deleteAudio(
  dataSource: DataSource,
  store: ObjectStore,
  quietSeconds: number,
): Promise<boolean> {
  const ended = await rowsOf<EndedJob>(
    dataSource,
    `SELECT id, audio_key AS "audioKey", upload_id AS "uploadId" FROM job
     WHERE audio_deleted_at IS NULL AND status <> 'processing'
       AND (status = 'completed' OR finished_at < now() - make_interval(secs => $1))
     LIMIT ${BATCH}`,
    [quietSeconds],
  );
  for (const { id, audioKey, uploadId } of ended) {
    if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
    await store.delete(audioKey);
    await store.deletePrefix(workPrefix(id));
    await dataSource.query('UPDATE job SET audio_deleted_at = now() WHERE id = $1', [id]);
  }
  return ended.length === BATCH;
}
