import { inTransaction } from '@app/database';
import { deleteJob, deleteObjectsOfDeletedJob } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
