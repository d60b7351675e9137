import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { readPlan } from '../support/query-plan.js';

let world: World;
beforeEach(async () => void (world = await createJobWorld()));
afterEach(() => world.close());

const insertJobs = (count: number, status: string, finished: string) =>
  world.rows(
    `INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, upload_expires_at, finished_at)
     SELECT gen_random_uuid(), $1, now() + random() * interval '1 day' - interval '2 days', $2, 'upload', '{}', 'a', 'b',
       now() + interval '1 hour', ${finished} FROM generate_series(1, $3)`,
    world.accountId,
    status,
    count,
  );

describe('a job that waits for its upload', () => {
  it('is looked up by its id, although the planner last saw few such jobs', async () => {
    await insertJobs(5_000, 'completed', 'now()');
    await world.rows('VACUUM ANALYZE job');
    await insertJobs(1_500, 'processing', 'NULL');
    const plan = await readPlan(
      world.dataSource,
      `EXPLAIN SELECT id FROM job WHERE id = '${world.accountId}' AND queued_at IS NULL AND status = 'processing'`,
    );
    expect(plan).toContain('Index Scan using job_pk');
  });
});
