import { inTransaction } from '@app/database';
import { deleteJob, deleteObjectsOfDeletedJob } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteObjectsOfDeletedJobs } from '../../apps/processor/src/maintenance/deleted-job-objects.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { readPlan } from '../support/query-plan.js';

const QUIET_SECONDS = 30;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

describe('repeated deletions of the objects of a deleted job', () => {
  it('delete only the audio once a deletion has followed the last lease', async () => {
    const id = await world.newJob();
    const requests: Parameters<ObjectStore['deleteAll']>[0][] = [];
    const store = {
      abortMultipart: async () => undefined,
      deleteAll: async (request: (typeof requests)[number]) => void requests.push(request),
    };
    await inTransaction(world.dataSource, (tx) => deleteJob(tx, world.hooks, id, QUIET_SECONDS));
    for (const elapsed of ['1 second', '1 day', '1 day', '1 day']) {
      await world.rows(
        `UPDATE deleted_job SET final_deletion_at = final_deletion_at - $2::interval,
           worker_writes_end_at = worker_writes_end_at - $2::interval WHERE job_id = $1`,
        id,
        elapsed,
      );
      await deleteObjectsOfDeletedJob(world.dataSource, store, id);
    }
    const all = [`work/${id}/`, `transcripts/${id}/`];
    expect(requests.map(({ prefixes }) => prefixes)).toEqual([all, all, [], []]);
    expect(requests.map(({ keys }) => keys)).toEqual(requests.map(() => [`audio/${id}`]));
  });

  it('are found by an index among many that are not due', async () => {
    await world.rows(
      `INSERT INTO deleted_job (job_id, audio_key, final_deletion_at, next_deletion_at)
       SELECT gen_random_uuid(), 'a', now() + interval '9 days', now() + interval '1 day' FROM generate_series(1, 5000)`,
    );
    await world.rows('ANALYZE deleted_job');
    const plan = await readPlan(
      world.dataSource,
      'EXPLAIN SELECT job_id FROM deleted_job WHERE next_deletion_at <= now() ORDER BY next_deletion_at LIMIT 50',
    );
    expect(plan).toContain('deleted_job_next_deletion');
  });

  it('of audio only are one request to the store for a thousand jobs', async () => {
    await world.rows('DELETE FROM deleted_job');
    await insertDueRows(2_000, null);
    const requests: number[] = [];
    const store = {
      abortMultipart: async () => undefined,
      deleteAll: async ({ keys }: { keys: readonly string[] }) => void requests.push(keys.length),
    };
    while (await deleteObjectsOfDeletedJobs(world.dataSource, store, new AbortController().signal));
    expect(requests).toEqual([1_000, 1_000]);
    expect(await world.rows('SELECT FROM deleted_job WHERE next_deletion_at <= now()')).toEqual([]);
    expect(await world.rows('SELECT FROM deleted_job')).toHaveLength(2_000);
  });

  it('that fail do not stand before later ones', async () => {
    await world.rows('DELETE FROM deleted_job');
    await insertDueRows(60, 'infinity');
    const [later] = await insertDueRows(1, 'infinity');
    const deleted: string[] = [];
    const store = {
      abortMultipart: async () => undefined,
      deleteAll: async ({ keys }: { keys: readonly string[] }) => {
        if (keys.some((key) => key !== `audio/${later}`)) throw new Error('denied');
        deleted.push(...keys);
      },
    };
    const run = () => deleteObjectsOfDeletedJobs(world.dataSource, store, new AbortController().signal);
    await expect(run()).rejects.toThrow('denied');
    await expect(run()).rejects.toThrow('denied');
    expect(deleted).toEqual([`audio/${later}`]);
  });
});

/** @returns the ids */
async function insertDueRows(count: number, workerWritesEnd: 'infinity' | null): Promise<string[]> {
  const rows = await world.rows<{ id: string }>(
    `INSERT INTO deleted_job (job_id, audio_key, final_deletion_at, next_deletion_at, worker_writes_end_at)
     SELECT id, 'audio/' || id, now() + interval '3 days', clock_timestamp() - interval '1 second', $2
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)) jobs RETURNING job_id AS id`,
    ...[count, workerWritesEnd],
  );
  return rows.map(({ id }) => id);
}
