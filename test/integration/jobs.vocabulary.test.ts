import { inTransaction } from '@app/database';
import { buildFailedOutcome, endJob } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

describe('the vocabulary of a job', () => {
  it.each([
    ['stays when the job ends, so that its options can be used again', ['Ada', 'Grace'], ['Ada', 'Grace']],
    ['is deleted when the job ends, if it is long', Array.from({ length: 100 }, () => 'x'.repeat(40)), null],
  ])('%s', async (_, terms, kept) => {
    const id = await world.newJob({ enqueue: false });
    await world.rows(
      `UPDATE job SET options = options || jsonb_build_object('custom_vocabulary', $2::jsonb) WHERE id = $1`,
      id,
      JSON.stringify(terms),
    );
    await inTransaction(world.dataSource, (tx) =>
      endJob(tx, world.hooks, id, buildFailedOutcome('upload', 'x')),
    );
    const sql = `SELECT options->'custom_vocabulary' AS terms, options->>'output_type' AS format FROM job WHERE id = $1`;
    expect(await world.row(sql, id)).toEqual({ terms: kept, format: 'json' });
  });
});
