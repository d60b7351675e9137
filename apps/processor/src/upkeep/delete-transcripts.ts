import { rowsOf } from '@app/database';
import { transcriptPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

const BATCH = 50;

/**
 * Deletes the transcripts of jobs that completed more than so many days ago. The job stays, completed and without a
 * transcript. Objects go first: a crash in between repeats the deletion.
 * @throws the reason of `stop` when it is aborted
 * @returns true when there may be more.
 */
export async function deleteTranscripts(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  stop: AbortSignal,
): Promise<boolean> {
  const old = await rowsOf<{ id: string }>(
    dataSource,
    `SELECT id FROM job WHERE result_key IS NOT NULL AND finished_at < now() - make_interval(days => $1)
     ORDER BY finished_at LIMIT ${BATCH}`,
    [days],
  );
  for (const { id } of old) {
    stop.throwIfAborted();
    await store.deletePrefix(transcriptPrefix(id));
    await dataSource.query('UPDATE job SET result_key = NULL, speaker_names = NULL WHERE id = $1', [id]);
  }
  return old.length === BATCH;
}
