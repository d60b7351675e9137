import { rowsOf, whileDeleting } from '@app/database';
import { transcriptPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { JobRounds } from './job-rounds.js';

const BATCH = 50;

/**
 * Deletes the transcripts of jobs that completed more than so many days ago. The job stays, completed and without a
 * transcript. Objects go first: a crash in between repeats the deletion.
 */
export function transcriptDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  batch = BATCH,
): JobRounds {
  return new JobRounds({
    batch,
    // A backup may need what these jobs have, from the moment of its snapshot until it has read it.
    guard: (...given) => whileDeleting(dataSource, 'transcripts', ...given),
    next: (last, limit) =>
      rowsOf(
        dataSource,
        `SELECT id, finished_at::text AS "finishedAt" FROM job
         WHERE result_key IS NOT NULL AND finished_at < now() - make_interval(days => $1)
           AND (finished_at, id) > ($2::timestamptz, $3::uuid)
         ORDER BY finished_at, id LIMIT $4`,
        [days, last.finishedAt, last.id, limit],
      ),
    work: async ({ id }) => {
      await store.deletePrefix(transcriptPrefix(id));
      await dataSource.query('UPDATE job SET result_key = NULL, speaker_names = NULL WHERE id = $1', [id]);
    },
  });
}
