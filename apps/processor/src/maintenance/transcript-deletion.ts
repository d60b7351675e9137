import { queryRows, withDeletionLock } from '@app/database';
import { buildTranscriptPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { KeysetBatchRunner } from './keyset-batch-runner.js';

const BATCH = 50;

/**
 * Deletes the transcripts of jobs that completed more than so many days ago. The job stays, completed and without a
 * transcript. Objects go first: a crash in between repeats the deletion.
 */
export function createTranscriptDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  batch = BATCH,
): KeysetBatchRunner {
  return new KeysetBatchRunner({
    batch,
    // A backup may need what these jobs have, from the moment of its snapshot until it has read it.
    withLock: (...given) => withDeletionLock(dataSource, 'transcripts', ...given),
    fetchBatch: (last, limit) =>
      queryRows(
        dataSource,
        `SELECT id, finished_at::text AS "finishedAt" FROM job
         WHERE result_key IS NOT NULL AND finished_at < now() - make_interval(days => $1)
           AND (finished_at, id) > ($2::timestamptz, $3::uuid)
         ORDER BY finished_at, id LIMIT $4`,
        [days, last.finishedAt, last.id, limit],
      ),
    processJob: async ({ id }) => {
      await store.deletePrefix(buildTranscriptPrefix(id));
      await dataSource.query('UPDATE job SET result_key = NULL, speaker_names = NULL WHERE id = $1', [id]);
    },
  });
}
