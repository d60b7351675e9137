import { rowsOf, whileDeleting } from '@app/database';
import { isOfEarlierAttempt, transcriptPrefix, workPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { type EndedJob, JobRounds } from './job-rounds.js';

const BATCH = 20;

interface CleanedJob extends EndedJob {
  audioKey: string;
  uploadId: string | null;
  /** Null when there is no transcript to keep. */
  resultKey: string | null;
}

/**
 * Deletes the audio and the intermediate objects of jobs that have ended, and what attempts before the one that counts made
 * of their transcripts. A transcript of a job that did not complete is an orphan: a database that was restored from an older
 * state says so of jobs that did. A job
 * that failed or was cancelled is left for `quietSeconds`, until no worker can be writing for it any more. A crash in
 * between repeats the deletion.
 */
export function audioDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  quietSeconds: number,
  batch = BATCH,
): JobRounds<CleanedJob> {
  return new JobRounds({
    batch,
    // A backup may need what these jobs have, from the moment of its snapshot until it has read it.
    guard: (...given) => whileDeleting(dataSource, 'audio', ...given),
    next: (last, limit) =>
      rowsOf(
        dataSource,
        `SELECT id, finished_at::text AS "finishedAt", audio_key AS "audioKey", upload_id AS "uploadId",
           result_key AS "resultKey" FROM job
         WHERE audio_deleted_at IS NULL AND status <> 'processing'
           AND (status = 'completed' OR finished_at < now() - make_interval(secs => $1))
           AND (finished_at, id) > ($2::timestamptz, $3::uuid)
         ORDER BY finished_at, id LIMIT $4`,
        [quietSeconds, last.finishedAt, last.id, limit],
      ),
    work: async (job) => {
      await clean(store, job);
      await dataSource.query('UPDATE job SET audio_deleted_at = now() WHERE id = $1', [job.id]);
    },
  });
}

async function clean(store: ObjectStore, { id, audioKey, uploadId, resultKey }: CleanedJob): Promise<void> {
  if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
  await store.delete(audioKey);
  await store.deletePrefix(workPrefix(id));
  if (resultKey === null) return;
  for await (const { key } of store.list(transcriptPrefix(id)))
    if (isOfEarlierAttempt(key, resultKey)) await store.delete(key);
}
