import { inTransaction, tenantPoolOf, tenantRows, tenantStatement } from '@app/database';
import { cancelJob, readEvents } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobWorld, type World } from '../support/job-world.js';

/** What somebody writes who thinks of no account at all. */
const EVERY_JOB = tenantStatement('every-job', 'SELECT id FROM job, (SELECT $1::uuid) unused ORDER BY id');
const EVERY_EVENT = tenantStatement(
  'every-event',
  'SELECT job_id AS id FROM job_event, (SELECT $1::uuid) unused',
);

let world: World;
let strangers: string;
let [ours, theirs]: [string, string] = ['', ''];

beforeAll(async () => {
  world = await jobWorld();
  strangers = await world.newAccount();
  ours = await world.newJob();
  theirs = await world.newJob({ of: strangers, enqueue: false });
  for (const job of [ours, theirs])
    await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.effects, job));
});
afterAll(() => world.close());

const tenants = () => tenantPoolOf(world.dataSource);
const DENIED = { code: '42501' };

describe('the second layer between organisations', () => {
  it('shows a statement that forgot the account the rows of the caller only', async () => {
    for (const statement of [EVERY_JOB, EVERY_EVENT]) {
      expect(await tenantRows(world.dataSource, world.accountId, statement)).toEqual([{ id: ours }]);
      expect(await tenantRows(world.dataSource, strangers, statement)).toEqual([{ id: theirs }]);
    }
  });

  it('shows no events of a job that is known by its id alone', async () => {
    expect(await readEvents(world.dataSource, strangers, theirs, 0)).toHaveLength(1);
    expect(await readEvents(world.dataSource, world.accountId, theirs, 0)).toEqual([]);
  });

  it('shows nothing to a statement that names no account, before and after one that did', async () => {
    const client = await tenants().connect();
    try {
      const seen = async () =>
        (await client.query('SELECT id FROM job UNION ALL SELECT job_id FROM job_event')).rows;
      expect(await seen()).toEqual([]);
      const { rows } = await client.query({ ...EVERY_JOB, values: [world.accountId] });
      expect(rows).toEqual([{ id: ours }]);
      expect(await seen()).toEqual([]);
    } finally {
      client.release();
    }
  });

  it('is right for crossing statements of many accounts on few connections', async () => {
    const asked = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? world.accountId : strangers));
    const seen = await Promise.all(asked.map((account) => tenantRows(world.dataSource, account, EVERY_JOB)));
    expect(seen).toEqual(asked.map((account) => [{ id: account === strangers ? theirs : ours }]));
  });

  it.each([
    `UPDATE job SET reason = 'x'`,
    'DELETE FROM job_event',
    'SELECT * FROM api_key',
    'SELECT * FROM account',
    'SELECT * FROM credit_entry',
    'SELECT * FROM webhook_secret',
    'SELECT * FROM job_stage',
    'ALTER TABLE job DISABLE ROW LEVEL SECURITY',
  ])('permits nothing but reading jobs and events: %s', async (statement) => {
    await expect(tenants().query(statement)).rejects.toMatchObject(DENIED);
  });

  it('belongs to a role that owns nothing and has no rights beyond', async () => {
    const { rows } = await tenants().query(
      `SELECT current_user AS name, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin AS more,
         (SELECT count(*) FROM pg_class WHERE relowner = role.oid) AS owned
       FROM pg_roles role WHERE rolname = current_user`,
    );
    expect(rows).toEqual([{ name: 'zephyr_tenant', more: false, owned: 0 }]);
  });

  it('may read no table without policies', async () => {
    const readable = await world.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND has_table_privilege('zephyr_tenant', oid, 'SELECT') AND NOT relrowsecurity`,
    );
    expect(readable).toEqual([]);
  });
});
