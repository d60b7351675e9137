import { inTransaction, getPgPool } from '@app/database';
import { type JobFilter, listJobSummaries } from '@app/jobs';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const JOBS = 100_000;
/** Rows per statement, because a busy machine could not insert all of them within the timeout. */
const BATCH = 5_000;
/** Every how many jobs one has failed, or is of the team `rare`. */
const FAILED_EVERY = 1_000;
const RARE_EVERY = 20_000;
const ALL: JobFilter = { status: null, metadata: null };

/**
 * Inserts jobs of one account, numbered from the oldest, each with a unique name and a team.
 */
const INSERT_JOBS = `
  WITH numbered AS (
    SELECT n, gen_random_uuid() AS id, timestamptz '2026-11-20 12:00:00+00' + n * interval '1 millisecond' AS at,
      jsonb_build_object('name', 'file-' || n, 'team', CASE WHEN n % ${RARE_EVERY} = 0 THEN 'rare' ELSE 'all' END) AS metadata
    FROM generate_series($2::integer, $3::integer) n
  ), job_row AS (
    INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, metadata)
    SELECT id, $1, at, CASE WHEN n % ${FAILED_EVERY} = 0 THEN 'failed' ELSE 'completed' END, 'upload',
      '{"output_type": "txt"}', '', '', metadata FROM numbered
  )
  INSERT INTO job_metadata (job_id, key, account_id, value, created_at)
  SELECT id, entry.key, $1, entry.value, at FROM numbered CROSS JOIN LATERAL jsonb_each_text(metadata) entry`;

const listMultiples = (step: number) =>
  Array.from({ length: JOBS / step }, (_, at) => (at + 1) * step).toReversed();
const numbersOfFailedJobs = listMultiples(FAILED_EVERY);
const numbersOfTeamRare = listMultiples(RARE_EVERY);

let world: World;

beforeAll(async () => {
  world = await createJobWorld();
  for (let from = 1; from <= JOBS; from += BATCH)
    await world.rows(INSERT_JOBS, world.accountId, from, from + BATCH - 1);
  await world.rows('ANALYZE job');
  await world.rows('ANALYZE job_metadata');
}, 300_000);
afterAll(() => world.close());

const readPage = (
  filter: Partial<JobFilter>,
  limit = 50,
  before: bigint | null = null,
  of = world.accountId,
) => listJobSummaries(world.dataSource, of, { limit, before }, { ...ALL, ...filter });

/** Reads the numbers of all matching jobs, page by page. */
async function readNumbers(filter: Partial<JobFilter>, limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let before: bigint | null = null; ;) {
    const { jobs, nextBefore } = await readPage(filter, limit, before);
    found.push(...jobs.map(({ metadata }) => Number(metadata['name']?.slice('file-'.length))));
    if (nextBefore === null) return found;
    before = BigInt(Date.parse(nextBefore)) * 1_000n;
  }
}

describe('filters of the job list', () => {
  it.each([1, 7, 33, 100])(
    'every failed job is listed once, newest first, with %i per page',
    async (limit) => {
      expect(await readNumbers({ status: 'failed' }, limit)).toEqual(numbersOfFailedJobs);
    },
  );

  it('jobs are found by one metadata entry or by several together', async () => {
    expect(await readNumbers({ metadata: { team: 'rare' } }, 2)).toEqual(numbersOfTeamRare);
    expect(await readNumbers({ metadata: { name: 'file-7' } }, 10)).toEqual([7]);
    expect(await readNumbers({ metadata: { team: 'all', name: 'file-7' } }, 10)).toEqual([7]);
    expect(await readNumbers({ metadata: { team: 'rare', name: 'file-7' } }, 10)).toEqual([]);
    expect(await readNumbers({ metadata: { Team: 'rare' } }, 10)).toEqual([]);
  });

  it('a status filter and a metadata filter combine', async () => {
    expect(await readNumbers({ status: 'failed', metadata: { team: 'rare' } }, 3)).toEqual(numbersOfTeamRare);
    expect(await readNumbers({ status: 'processing', metadata: { team: 'rare' } }, 3)).toEqual([]);
  });

  it('jobs of other accounts are not listed', async () => {
    const otherAccountId = await world.newAccount();
    for (const filter of [{}, { status: 'failed' as const }, { metadata: { team: 'rare' } }])
      expect((await readPage(filter, 100, null, otherAccountId)).jobs).toEqual([]);
  });
});

type Value = string | number | null;

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Returns every node of the query plan of the list, for custom and generic plans. */
async function explainQuery(filter: Partial<JobFilter>, mode: string): Promise<Plan[]> {
  const { text, values } = await captureStatement(() => readPage(filter, 20));
  const [explained] = await inTransaction(world.dataSource, async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
    const types = 'uuid, bigint, bigint, text, jsonb, text, text'.split(', ').slice(0, values.length);
    await tx.query(`PREPARE filtered (${types.join(', ')}) AS ${text}`);
    const literals = values.map((value) => (value === null ? 'NULL' : `'${value}'`));
    const rows = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE filtered (${literals.join(', ')})`,
    );
    await tx.query('DEALLOCATE filtered');
    return rows;
  });
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  return explained ? flat(explained['QUERY PLAN'][0].Plan) : [];
}

/** Returns the last statement that the work sends to the database. */
async function captureStatement(work: () => Promise<unknown>): Promise<{ text: string; values: Value[] }> {
  const pool = getPgPool(world.dataSource);
  const query = pool.query.bind(pool);
  let sent: QueryConfig | undefined;
  pool.query = ((statement: QueryConfig) => query((sent = statement))) as typeof pool.query;
  await work();
  pool.query = query;
  return { text: sent?.text ?? '', values: (sent?.values ?? []) as Value[] };
}

describe.each(['force_custom_plan', 'force_generic_plan'])(
  'a filtered page of the job list with %s',
  (mode) => {
    it.each<[string, string, Partial<JobFilter>]>([
      ['no filter', 'job_account_created', {}],
      ['a status', 'job_account_status', { status: 'failed' }],
      ['a rare entry', 'job_metadata_match', { metadata: { team: 'rare' } }],
      ['a common entry', 'job_metadata_match', { metadata: { team: 'all' } }],
      ['a rare entry and a common one', 'job_metadata_match', { metadata: { team: 'all', name: 'file-7' } }],
      [
        'a rare status and a common entry',
        'job_account_status',
        { status: 'failed', metadata: { team: 'all' } },
      ],
    ])(
      'the page with %s is read in the order of index %s, without sorting and without reading past the page',
      async (_, index, filter) => {
        const nodes = await explainQuery(filter, mode);
        expect(nodes.map((node) => node['Index Name'])).toContain(index);
        expect(nodes.map((node) => node['Node Type'])).not.toEqual(expect.arrayContaining(['Sort']));
        for (const node of nodes) {
          expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(21);
          expect(node['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(numbersOfTeamRare.length);
        }
      },
    );
  },
);
