import { inTransaction, queryAccountRows, buildAccountScopedQuery } from '@app/database';
import { cancelJob, readJobEvents } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

/** Statements without any account filter. */
const EVERY_JOB = buildAccountScopedQuery('every-job', 'SELECT id FROM job');
const UNFILTERED_STATEMENTS = [
  EVERY_JOB,
  buildAccountScopedQuery('every-event', 'SELECT job_id AS id FROM job_event'),
  buildAccountScopedQuery('every-job-twice', 'SELECT a.id FROM job a JOIN job b ON true'),
  buildAccountScopedQuery('every-event-by-job', 'SELECT job.id FROM job_event JOIN job ON true'),
  buildAccountScopedQuery(
    'any-job-below',
    'SELECT found.id FROM (SELECT id FROM job UNION SELECT id FROM job) found',
  ),
];

let world: World;
let otherAccountId: string;
let [ownJobId, otherJobId]: [string, string] = ['', ''];

beforeAll(async () => {
  world = await createJobWorld();
  otherAccountId = await world.newAccount();
  ownJobId = await world.newJob({ metadata: { name: 'ours' } });
  otherJobId = await world.newJob({ of: otherAccountId, enqueue: false, metadata: { name: 'theirs' } });
  for (const account of [world.accountId, otherAccountId])
    await world.rows(
      `INSERT INTO api_key (id, account_id, name, hash) VALUES ($1::text, $1::uuid, 'test', '')`,
      account,
    );
  for (const account of [world.accountId, otherAccountId])
    await world.rows(
      `INSERT INTO vocabulary (id, account_id, name, terms) VALUES ($1::uuid, $1::uuid, 'test', '{Ada}')`,
      account,
    );
  for (const job of [ownJobId, otherJobId])
    await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, job));
});
afterAll(() => world.close());

describe('the account scope CTE', () => {
  it.each(UNFILTERED_STATEMENTS)(
    'the statement $name without an account filter returns only rows of the caller',
    async (statement) => {
      expect(await queryAccountRows(world.dataSource, world.accountId, statement)).toEqual([
        { id: ownJobId },
      ]);
      expect(await queryAccountRows(world.dataSource, otherAccountId, statement)).toEqual([
        { id: otherJobId },
      ]);
    },
  );

  it.each(['job_metadata', 'account', 'api_key', 'credit_entry', 'vocabulary'])(
    'a statement without an account filter returns no %s rows of another account',
    async (table) => {
      const column = table === 'account' ? 'id' : 'account_id';
      const everyRow = buildAccountScopedQuery(
        `every-${table}`,
        `SELECT DISTINCT ${column} AS account FROM ${table}`,
      );
      for (const account of [world.accountId, otherAccountId])
        expect(await queryAccountRows(world.dataSource, account, everyRow)).toEqual([{ account }]);
    },
  );

  it('a statement without an account filter returns only users who are members', async () => {
    for (const account of [world.accountId, otherAccountId]) {
      await world.rows(
        `INSERT INTO app_user (id, email, name) VALUES ($1::uuid, $1::text || '@example.org', 'test')`,
        account,
      );
      await world.rows(
        `INSERT INTO membership (account_id, user_id, role) VALUES ($1, $1, 'member')`,
        account,
      );
    }
    const everyUser = buildAccountScopedQuery('every-user', 'SELECT id FROM app_user');
    for (const account of [world.accountId, otherAccountId])
      expect(await queryAccountRows(world.dataSource, account, everyUser)).toEqual([{ id: account }]);
  });

  it('events of a job of another account are not returned for its id', async () => {
    expect(await readJobEvents(world.dataSource, otherAccountId, otherJobId, 0)).toHaveLength(1);
    expect(await readJobEvents(world.dataSource, world.accountId, otherJobId, 0)).toBeNull();
  });

  it('concurrent statements of many accounts on few connections return the right rows', async () => {
    const accountIds = Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? world.accountId : otherAccountId,
    );
    const results = await Promise.all(
      accountIds.map((account) => queryAccountRows(world.dataSource, account, EVERY_JOB)),
    );
    expect(results).toEqual(
      accountIds.map((account) => [{ id: account === otherAccountId ? otherJobId : ownJobId }]),
    );
  });
});
