import { rowsOf } from '@app/database';
import { transcriptPrefix, workPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

const BATCH = 20;

interface EndedJob {
  id: string;
  audioKey: string;
  uploadId: string | null;
  /** Null when there is no transcript to keep. */
  resultKey: string | null;
}

/**
 * Deletes the audio and the intermediate objects of jobs that have ended, and transcripts that no job points to. A job that failed or was cancelled is
 * left for `quietSeconds`, until no worker can be writing for it any more. A crash in between repeats the deletion.
 * One that cannot be cleaned keeps no other from it; the first such trouble is thrown at the end.
 * @throws the reason of `stop` when it is aborted
 * @returns true when there may be more.
 */
export async function deleteAudio(
  dataSource: DataSource,
  store: ObjectStore,
  quietSeconds: number,
  stop: AbortSignal,
): Promise<boolean> {
  const ended = await rowsOf<EndedJob>(
    dataSource,
    `SELECT id, audio_key AS "audioKey", upload_id AS "uploadId", result_key AS "resultKey" FROM job
     WHERE audio_deleted_at IS NULL AND status <> 'processing'
       AND (status = 'completed' OR finished_at < now() - make_interval(secs => $1))
     LIMIT ${BATCH}`,
    [quietSeconds],
  );
  const troubles: unknown[] = [];
  for (const job of ended) {
    stop.throwIfAborted();
    try {
      await clean(store, job);
      await dataSource.query('UPDATE job SET audio_deleted_at = now() WHERE id = $1', [job.id]);
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
  return ended.length === BATCH;
}

async function clean(store: ObjectStore, { id, audioKey, uploadId, resultKey }: EndedJob): Promise<void> {
  if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
  await store.delete(audioKey);
  await store.deletePrefix(workPrefix(id));
  const kept = resultKey?.slice(0, resultKey.lastIndexOf('/') + 1);
  for await (const { key } of store.list(transcriptPrefix(id)))
    if (kept === undefined || !key.startsWith(kept)) await store.delete(key);
}
