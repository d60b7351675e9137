import { expect, it, onTestFinished } from 'vitest';
import { LIST_JOBS_WITH_EXPIRED_TRANSCRIPT_SQL } from '../../apps/processor/src/maintenance/job-objects.repository.js';
import { createJobWorld } from '../support/job-world.js';

const ACCOUNTS = 1_000;
const JOBS_OF_EACH = 50;

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number };
}

it('a batch of expired transcripts reads the oldest one of each account, and further ones of few accounts', async () => {
  const world = await createJobWorld();
  onTestFinished(() => world.close());
  await world.rows(
    `INSERT INTO account (id, name, transcript_retention_days)
     SELECT gen_random_uuid(), 'many', 7 FROM generate_series(1, $1::int)`,
    ACCOUNTS,
  );
  await world.rows(
    `INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, result_key, finished_at, audio_deleted_at)
     SELECT gen_random_uuid(), account.id, now() - at * interval '1 hour', 'completed', 'upload', '{}', 'a', 'audio/wav', 'r',
       now() - interval '9 days' - at * interval '1 hour', now()
     FROM account CROSS JOIN generate_series(1, $1::int) at WHERE transcript_retention_days IS NOT NULL`,
    JOBS_OF_EACH,
  );
  await world.rows('ANALYZE job, account');
  const none = '00000000-0000-0000-0000-000000000000';
  const [explained] = await world.rows<{ 'QUERY PLAN': Plan[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${LIST_JOBS_WITH_EXPIRED_TRANSCRIPT_SQL}`,
    ...[0, '-infinity', none, 50],
  );
  const plan = explained?.['QUERY PLAN'][0]?.Plan ?? expect.unreachable();
  expect(plan['Actual Rows']).toBe(50);
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(ACCOUNTS * 10);
});
