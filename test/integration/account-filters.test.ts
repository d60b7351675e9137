import { readAccountCreditsAndUsageTodayOfKey, readUsageByDayKeyAndAudioSource } from '@app/billing';
import { inTransaction, ACCOUNT_SCOPE_CTE, Encryptor, getPgPool } from '@app/database';
import {
  cancelJob,
  readJobFailedFlags,
  getJob,
  getConsoleJobWithDetailsAndEvents,
  type JobFilter,
  listConsoleJobSummaries,
  listTranscriptCorrections,
  listJobSummaries,
  listJobIdsAndCreationTimes,
  readJobEvents,
} from '@app/jobs';
import {
  AccountWebhookDeliveryService,
  WebhookBodyEncryptor,
  listWebhookDeliveriesForOperator,
  listWebhookAttempts,
  replayDelivery,
  replayFailedDeliveries,
} from '@app/webhooks';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const NONE = { jobs: [], nextBefore: null };

let world: World;
let otherAccountId: string;
let otherJobId: string;

/** Removes the account scope CTE, which would hide a missing account filter. */
beforeAll(async () => {
  world = await createJobWorld();
  removeAccountScopeCte();
  otherAccountId = await world.newAccount();
  otherJobId = await world.newJob({
    of: otherAccountId,
    enqueue: false,
    metadata: { name: 'theirs', team: 'a' },
  });
  await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, otherJobId));
});
afterAll(() => world.close());

function removeAccountScopeCte(): void {
  const pool = getPgPool(world.dataSource);
  const query = pool.query.bind(pool);
  const queryWithoutScope = (statement: QueryConfig): unknown =>
    query({ ...statement, text: statement.text.replace(ACCOUNT_SCOPE_CTE, '') });
  pool.query = queryWithoutScope as typeof pool.query;
}

describe('account filters in statements, without the account scope CTE', () => {
  it('a job of another account is not found', async () => {
    await expect(getJob(world.dataSource, otherAccountId, otherJobId)).resolves.toMatchObject({
      id: otherJobId,
    });
    await expect(getJob(world.dataSource, world.accountId, otherJobId)).rejects.toMatchObject({
      code: 'job_not_found',
    });
  });

  it('jobs of another account are not listed', async () => {
    const page = { limit: 10, before: null };
    expect((await listJobIdsAndCreationTimes(world.dataSource, otherAccountId, page)).jobs).toHaveLength(1);
    expect(await listJobIdsAndCreationTimes(world.dataSource, world.accountId, page)).toEqual(NONE);
  });

  it('status and metadata filters list no jobs of another account', async () => {
    const page = { limit: 10, before: null };
    const filters: JobFilter[] = [
      { status: null, metadata: null },
      { status: 'failed', metadata: null },
      { status: null, metadata: { name: 'theirs' } },
      { status: 'failed', metadata: { name: 'theirs' } },
      { status: null, metadata: { name: 'theirs', team: 'a' } },
    ];
    for (const filter of filters) {
      expect((await listJobSummaries(world.dataSource, otherAccountId, page, filter)).jobs).toHaveLength(1);
      expect(await listJobSummaries(world.dataSource, world.accountId, page, filter)).toEqual(NONE);
    }
  });

  it('overviews and details of jobs of another account are not returned', async () => {
    const any = { status: null, text: null, keyId: null, createdAfter: null, createdBefore: null };
    for (const filter of [any, { ...any, status: 'failed' as const }, { ...any, text: 'theirs' }]) {
      expect(await listConsoleJobSummaries(world.dataSource, otherAccountId, filter, 10)).toHaveLength(1);
      expect(await listConsoleJobSummaries(world.dataSource, world.accountId, filter, 10)).toEqual([]);
    }
    expect(
      await getConsoleJobWithDetailsAndEvents(world.dataSource, otherAccountId, otherJobId),
    ).toMatchObject({
      id: otherJobId,
      events: [{ seq: 1, type: 'failed' }],
    });
    await expect(
      getConsoleJobWithDetailsAndEvents(world.dataSource, world.accountId, otherJobId),
    ).rejects.toMatchObject({
      code: 'job_not_found',
    });
  });

  it('corrections of a transcript of another account are not returned', async () => {
    await world.rows(
      `INSERT INTO transcript_correction (job_id, segment, text) VALUES ($1, 0, 'x')`,
      otherJobId,
    );
    expect(await listTranscriptCorrections(world.dataSource, otherAccountId, otherJobId)).toHaveLength(1);
    expect(await listTranscriptCorrections(world.dataSource, world.accountId, otherJobId)).toEqual([]);
  });

  it('the usage of another account or of its keys is not returned', async () => {
    await world.rows(
      `INSERT INTO api_key (id, account_id, name, hash) VALUES ('theirs', $1, 'theirs', '')`,
      otherAccountId,
    );
    await world.rows(`UPDATE job SET api_key_id = 'theirs' WHERE id = $1`, otherJobId);
    expect(
      await readAccountCreditsAndUsageTodayOfKey(world.dataSource, otherAccountId, 'theirs'),
    ).toMatchObject({
      created: 1,
      failed: 1,
    });
    expect(
      await readAccountCreditsAndUsageTodayOfKey(world.dataSource, world.accountId, 'theirs'),
    ).toBeUndefined();
  });

  it('the usage by day of another account is not returned', async () => {
    const days = { from: new Date(new Date().toISOString().slice(0, 10)), days: 2 };
    days.from.setUTCDate(days.from.getUTCDate() - 1);
    expect(await readUsageByDayKeyAndAudioSource(world.dataSource, otherAccountId, days)).toMatchObject([
      { created: 1, failed: 1 },
    ]);
    expect(await readUsageByDayKeyAndAudioSource(world.dataSource, world.accountId, days)).toEqual([]);
  });

  it('the failure of a job of another account is not reported', async () => {
    expect(await readJobFailedFlags(world.dataSource, otherAccountId, [otherJobId])).toEqual([true]);
    expect(await readJobFailedFlags(world.dataSource, world.accountId, [otherJobId])).toEqual([false]);
  });

  it('events of another account are not returned', async () => {
    expect(await readJobEvents(world.dataSource, otherAccountId, otherJobId, 0)).toHaveLength(1);
    expect(await readJobEvents(world.dataSource, world.accountId, otherJobId, 0)).toBeNull();
  });

  it('webhook deliveries of another account are neither listed nor replayed', async () => {
    const delivery = await world.row<{ id: string }>(
      `INSERT INTO webhook_delivery (id, account_id, job_id, url, event, state, attempts, finished_at)
       VALUES (gen_random_uuid(), $1, $2, 'https://example.com/', 'failed', 'failed', 1, now()) RETURNING id`,
      otherAccountId,
      otherJobId,
    );
    const id = delivery?.id ?? '';
    await world.rows(`INSERT INTO webhook_attempt (delivery_id, number, ms) VALUES ($1, 1, 5)`, id);
    const { dataSource: db, accountId } = world;
    expect(await listWebhookDeliveriesForOperator(db, accountId)).toEqual([]);
    expect(await listWebhookAttempts(db, accountId, id)).toEqual([]);
    const allFailed = { since: null, endpointId: null, limit: null };
    const replay = (account: string) => inTransaction(db, (tx) => replayDelivery(tx, account, id));
    const replayAll = () => inTransaction(db, (tx) => replayFailedDeliveries(tx, accountId, allFailed));
    expect(await replay(accountId)).toBe(false);
    expect(await replayAll()).toBe(0);
    expect(await listWebhookDeliveriesForOperator(db, otherAccountId)).toMatchObject([
      { id, state: 'failed' },
    ]);
    expect(await listWebhookAttempts(db, otherAccountId, id)).toHaveLength(1);
    const bodies = new WebhookBodyEncryptor(world.dataSource, new Encryptor(Buffer.alloc(32)));
    const log = new AccountWebhookDeliveryService(world.dataSource, bodies);
    const page = { limit: 10, before: null };
    expect(await log.list(world.accountId, {}, page)).toEqual([]);
    expect(await log.list(world.accountId, { state: 'failed', jobId: otherJobId }, page)).toEqual([]);
    await expect(log.read(world.accountId, id)).rejects.toMatchObject({ code: 'no_such_resource' });
    expect(await log.list(otherAccountId, {}, page)).toHaveLength(1);
    expect((await log.read(otherAccountId, id)).attempts).toHaveLength(1);
    expect(await replay(otherAccountId)).toBe(true);
  });
});
