import { rowsOf } from '@app/database';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Attempts } from './attempts.js';

const BATCH = 500;

/** Where the stages of jobs write. Nothing is stored there before its job is written. */
export type StageFolder = 'work' | 'transcripts';

/**
 * Deletes what a stage wrote after its job was cleaned (a worker that was frozen meanwhile), and what is left of jobs
 * whose rows are gone. The transcript that a job points to stays, and so does everything of a job not cleaned yet.
 * @throws the first trouble, when all were tried; the reason of `stop` when it is aborted: there may be as many objects
 * as there were ever jobs
 * @returns how many objects were deleted.
 */
export async function deleteStrays(
  dataSource: DataSource,
  store: ObjectStore,
  folder: StageFolder,
  stop: AbortSignal,
): Promise<number> {
  const attempts = new Attempts(stop);
  let deleted = 0;
  let batch: string[] = [];
  const pass = async () => {
    for (const key of await strays(dataSource, batch)) {
      await attempts.make(key, () => store.delete(key));
      deleted += 1;
    }
    batch = [];
  };
  for await (const { key } of store.list(`${folder}/`, stop)) {
    if (isUuid(key.split('/')[1] ?? '')) batch.push(key);
    if (batch.length === BATCH) await pass();
  }
  await pass();
  attempts.end();
  return deleted;
}

/** A transcript lies beside the document that it was made from; the folder of both is what the job's key names. */
async function strays(dataSource: DataSource, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await rowsOf<{ key: string }>(
    dataSource,
    `SELECT given.key FROM unnest($1::text[]) AS given (key)
     LEFT JOIN job ON job.id = split_part(given.key, '/', 2)::uuid
     WHERE job.id IS NULL OR (job.audio_deleted_at IS NOT NULL
       AND regexp_replace(given.key, '[^/]*$', '') IS DISTINCT FROM regexp_replace(job.result_key, '[^/]*$', ''))`,
    [keys],
  );
  return rows.map(({ key }) => key);
}
