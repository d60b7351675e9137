import { createAccount } from '@app/billing';
import { inTransaction } from '@app/database';
import { readJobFailedFlags, buildFailedOutcome, endJob, listJobIdsAndCreationTimes } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const JOBS = 30;

let world: World;
let otherAccountId: string;
/** Oldest first. */
let ids: string[];

beforeAll(async () => {
  world = await createJobWorld();
  otherAccountId = await inTransaction(world.dataSource, (tx) => createAccount(tx, 'strangers', 10));
  ids = [];
  for (let at = 0; at < JOBS; at += 1) ids.push(await world.newJob({ enqueue: false }));
  // The times differ only in microseconds, which a Date does not have.
  await world.rows(
    `UPDATE job SET created_at = timestamptz '2026-11-20 12:00:00.123+00'
       + (array_position($1::uuid[], id) - 1) * interval '1 microsecond'`,
    ids,
  );
});
afterAll(() => world.close());

const formatTime = (at: number) => `2026-11-20T12:00:00.123${String(at).padStart(3, '0')}Z`;
const toMicroseconds = (at: number) => BigInt(Date.UTC(2026, 10, 20, 12, 0, 0, 123)) * 1_000n + BigInt(at);
const readPage = (limit: number, before: bigint | null) =>
  listJobIdsAndCreationTimes(world.dataSource, world.accountId, { limit, before });

describe('listJobs', () => {
  it.each([1, 7, 10, 29, 30, 31, 100])(
    'every job is listed once, newest first, with %i per page',
    async (limit) => {
      const seen: { id: string; createdAt: string }[] = [];
      let before: bigint | null = null;
      for (let pages = 1; ; pages += 1) {
        const { jobs, nextBefore } = await readPage(limit, before);
        seen.push(...jobs);
        expect(jobs.length).toBeLessThanOrEqual(limit);
        if (nextBefore === null) {
          expect(pages).toBe(Math.ceil(JOBS / limit));
          break;
        }
        expect(nextBefore).toBe(seen.at(-1)?.createdAt);
        before = toMicroseconds(Number(nextBefore.slice(-4, -1)));
      }
      expect(seen).toEqual(ids.map((id, at) => ({ id, createdAt: formatTime(at) })).toReversed());
    },
  );

  it('a page ends before the given time', async () => {
    expect((await readPage(1, toMicroseconds(5))).jobs).toEqual([{ id: ids[4], createdAt: formatTime(4) }]);
    expect(await readPage(1, toMicroseconds(0))).toEqual({ jobs: [], nextBefore: null });
  });

  it('times before and after every job are accepted', async () => {
    expect((await readPage(100, 253_402_300_799_999_999n)).jobs).toHaveLength(JOBS);
    expect((await readPage(100, -62_167_305_540_000_000n)).jobs).toEqual([]);
  });

  it('jobs of other accounts are not listed', async () => {
    expect(
      await listJobIdsAndCreationTimes(world.dataSource, otherAccountId, { limit: 100, before: null }),
    ).toEqual({
      jobs: [],
      nextBefore: null,
    });
  });

  it('the list is read from the index without sorting', async () => {
    const plan = await inTransaction(world.dataSource, async (tx) => {
      // Otherwise Postgres reads such a small table sequentially.
      await tx.query('SET LOCAL enable_seqscan = off');
      return tx.query<object[]>(
        `EXPLAIN (FORMAT JSON) SELECT id FROM job WHERE account_id = $1
           AND created_at < COALESCE(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity')
         ORDER BY created_at DESC LIMIT 10`,
        [world.accountId, '0'],
      );
    });
    expect(JSON.stringify(plan)).toContain('job_account_created');
    expect(JSON.stringify(plan)).not.toContain('"Sort"');
  });
});

describe('readJobFailedFlags', () => {
  it('the results have the order of the requested ids, including repeated ids', async () => {
    const [broken = '', fine = ''] = ids;
    await inTransaction(world.dataSource, (tx) =>
      endJob(tx, world.hooks, broken, buildFailedOutcome('upload', 'x')),
    );
    const unknown = '01a1f956-0000-7000-8000-000000000000';
    const requestedIds = [fine, broken, unknown, broken.toUpperCase(), fine];
    expect(await readJobFailedFlags(world.dataSource, world.accountId, requestedIds)).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(await readJobFailedFlags(world.dataSource, otherAccountId, [broken])).toEqual([false]);
    expect(await readJobFailedFlags(world.dataSource, world.accountId, [])).toEqual([]);
  });
});
