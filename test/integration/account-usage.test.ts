import { readAccountCreditsAndUsageTodayOfKey, holdCredits, settleCreditHold } from '@app/billing';
import { inTransaction } from '@app/database';
import { createJobAndEnqueueIfUrl } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUploadJob } from '../support/new-job.js';

const MIDNIGHT = `date_trunc('day', now(), 'UTC')`;

let world: World;
beforeAll(async () => {
  world = await createJobWorld({ credits: 1_000 });
});
afterAll(() => world.close());

async function newKey(id: string, accountId: string): Promise<string> {
  await world.rows(
    `INSERT INTO api_key (id, account_id, name, hash) VALUES ($1, $2, 'a key', '')`,
    id,
    accountId,
  );
  return id;
}

interface EndedJob {
  status: 'completed' | 'failed';
  /** SQL of a time. */
  at: string;
  seconds?: number;
  charge?: number;
}

/** Creates a job of a key; an ended job has its charge in the ledger. */
async function newJob(
  accountId: string,
  apiKeyId: string,
  createdAt: string,
  ended?: EndedJob,
): Promise<void> {
  const job = await inTransaction(world.dataSource, async (tx) => {
    const id = await createJobAndEnqueueIfUrl(tx, buildUploadJob({ accountId, apiKeyId }));
    await holdCredits(tx, accountId, id, ended?.charge ?? 10);
    if (ended) await settleCreditHold(tx, accountId, id, ended.charge ?? 0);
    return id;
  });
  await world.rows(`UPDATE job SET created_at = ${createdAt} WHERE id = $1`, job);
  if (ended)
    await world.rows(
      `UPDATE job SET status = $2, finished_at = ${ended.at}, duration = $3 WHERE id = $1`,
      job,
      ended.status,
      ended.seconds ?? null,
    );
}

describe('readAccountCreditsAndKeyUsageToday', () => {
  it('the usage covers jobs that a key created, and jobs that ended, since midnight UTC', async () => {
    const key = await newKey('since-midnight', world.accountId);
    const [first, last] = [MIDNIGHT, `${MIDNIGHT} - interval '1 microsecond'`];
    await newJob(world.accountId, key, first);
    await newJob(world.accountId, key, last, { status: 'completed', at: first, seconds: 2.5, charge: 3 });
    await newJob(world.accountId, key, `${last} - interval '1 hour'`, {
      status: 'completed',
      at: last,
      seconds: 50,
      charge: 50,
    });
    await newJob(world.accountId, key, `${first} + interval '1 second'`, {
      status: 'failed',
      at: 'now()',
      charge: 4,
    });
    const figures = await readAccountCreditsAndUsageTodayOfKey(world.dataSource, world.accountId, key);
    const [{ since } = { since: '' }] = await world.rows<{ since: string }>(
      `SELECT to_char(${MIDNIGHT} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"00:00:00"Z"') AS since`,
    );
    expect(figures).toEqual({
      name: 'test',
      keyName: 'a key',
      balance: 1_000 - 10 - 3 - 50 - 4,
      held: 10,
      since,
      created: 2,
      completed: 1,
      failed: 1,
      audioSeconds: 2.5,
      charged: 7,
    });
  });

  it('the usage excludes other keys and other accounts', async () => {
    const otherAccountId = await world.newAccount();
    const key = await newKey('of-strangers', otherAccountId);
    await newJob(otherAccountId, key, 'now()', { status: 'completed', at: 'now()', seconds: 5, charge: 5 });
    const unused = await newKey('unused', world.accountId);
    expect(
      await readAccountCreditsAndUsageTodayOfKey(world.dataSource, world.accountId, unused),
    ).toMatchObject({
      created: 0,
      completed: 0,
      failed: 0,
      audioSeconds: 0,
      charged: 0,
    });
    expect(
      await readAccountCreditsAndUsageTodayOfKey(world.dataSource, world.accountId, key),
    ).toBeUndefined();
    expect(await readAccountCreditsAndUsageTodayOfKey(world.dataSource, otherAccountId, key)).toMatchObject({
      created: 1,
      balance: 995,
    });
  });
});
