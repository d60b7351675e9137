import { inTransaction } from '@app/database';
import { addOrRestartStages, buildChunkStageName, claimNextStage, JobSweeper } from '@app/jobs';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CLAIM_NEXT_STAGE_STATEMENT } from '../../libs/jobs/src/stages/stage-claim.repository.js';
import { claimWhileAdding } from '../support/claim-while-adding.js';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';
import { countReadPages } from '../support/query-plan.js';

let world: World;
let other: string;
beforeAll(async () => {
  world = await createJobWorld();
  other = await world.newAccount();
});
afterEach(async () => {
  await world.rows('DELETE FROM job');
  await world.rows('DELETE FROM turn');
  await world.rows('DELETE FROM outbox');
});
afterAll(() => world.close());

const claim = async (queue: 'preprocess' | 'chunk' = 'preprocess') =>
  claimNextStage(world.dataSource, queue, 10);

async function createJobs(of: string, count: number): Promise<string[]> {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.newJob({ of }));
  return ids;
}

/** Creates a job whose chunks exist. */
async function createChunkedJob(of: string, chunks: number): Promise<string> {
  const id = await world.newJob({ of, enqueue: false });
  const stages = Array.from({ length: chunks }, (_, index) => ({
    name: buildChunkStageName(index),
    chunkIndex: index,
    input: null,
  }));
  await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, id, stages));
  return id;
}

describe('fair scheduling between accounts', () => {
  it('accounts are served in turn, each with its oldest job first', async () => {
    const ownJobIds = await createJobs(world.accountId, 3);
    const otherJobIds = await createJobs(other, 2);
    const claimed = [];
    for (let at = 0; at < 5; at += 1) claimed.push((await claim())?.jobId);
    expect(new Set(claimed)).toEqual(new Set([...ownJobIds, ...otherJobIds]));
    expect(claimed.slice(0, 4).map((id) => otherJobIds.includes(id ?? ''))).toSatisfy(
      (isOther: boolean[]) =>
        isOther[0] !== isOther[1] && isOther[1] !== isOther[2] && isOther[2] !== isOther[3],
    );
    expect(claimed.filter((id) => ownJobIds.includes(id ?? ''))).toEqual(ownJobIds);
    expect(await claim()).toBeNull();
  });

  it('an account that has not been served yet comes first', async () => {
    await createJobs(world.accountId, 3);
    await claim();
    const [laterJobId] = await createJobs(other, 1);
    expect((await claim())?.jobId).toBe(laterJobId);
  });

  it('an account whose stages are not due does not block other accounts', async () => {
    const [laterJobId] = await createJobs(other, 1);
    await world.rows(`UPDATE job_stage SET due_at = now() + interval '1 hour' WHERE job_id = $1`, laterJobId);
    const ownJobIds = await createJobs(world.accountId, 2);
    expect([(await claim())?.jobId, (await claim())?.jobId]).toEqual(ownJobIds);
  });

  it('an account whose only stage is being claimed is skipped', async () => {
    await createJobs(other, 1);
    await createJobs(world.accountId, 7);
    const claimed = await Promise.all(Array.from({ length: 8 }, () => claim()));
    expect(new Set(claimed.map((stage) => stage?.jobId)).size).toBe(8);
    expect(claimed).not.toContain(null);
  });

  it('accounts are still served in turn after the queue lost all messages', async () => {
    const ownJobIds = await createJobs(world.accountId, 40);
    const [otherJobId] = await createJobs(other, 1);
    await world.relay();
    world.relayedMessages.length = 0;
    await world.rows(`UPDATE job_stage SET due_at = due_at - interval '31 seconds'`);
    const options = { redeliverSeconds: 30, leaseSeconds: 10 };
    const sweeper = new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, options);
    await sweeper.sweep();
    await sweeper.sweep();
    await world.relay();
    expect(new Set(world.relayedMessages.map(({ payload }) => payload.jobId))).toEqual(
      new Set([...ownJobIds, otherJobId]),
    );
    expect([(await claim())?.jobId, (await claim())?.jobId]).toContain(otherJobId);
  });

  it('stages that the previous version wrote without an account are scheduled too', async () => {
    await createJobs(world.accountId, 3);
    const [old] = await createJobs(other, 1);
    await world.rows(`UPDATE job_stage SET account_id = DEFAULT, place = DEFAULT WHERE job_id = $1`, old);
    const stages = [await claim(), await claim()];
    expect(stages.map((stage) => stage?.jobId)).toContain(old);
    expect(stages.map((stage) => stage?.accountId)).toContain(other);
  });

  it('a claim reads as much with 5,000 waiting accounts and stages as with two', async () => {
    await createJobs(world.accountId, 2);
    await createJobs(other, 1);
    const before = await countPagesOfClaim();
    await world.rows(
      `WITH more AS (INSERT INTO account (id, name) SELECT gen_random_uuid(), 'many' FROM generate_series(1, 5000) RETURNING id),
       new AS (
         INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type)
         SELECT gen_random_uuid(), owner, now() + random() * interval '1 hour', 'upload', '{}', 'a', 'b'
         FROM (SELECT id AS owner FROM more UNION ALL SELECT $1 FROM generate_series(1, 5000)) owners
         RETURNING id, account_id)
       INSERT INTO job_stage (job_id, account_id, name, queue, place)
       SELECT id, account_id, 'preprocess', 'preprocess', row_number() OVER () FROM new`,
      world.accountId,
    );
    await world.rows('ANALYZE job, job_stage, turn');
    const after = await countPagesOfClaim();
    await world.rows('DELETE FROM job');
    await world.rows(`DELETE FROM account WHERE name = 'many'`);
    expect(after).toBeLessThan(before + 40);
  });

  it('accounts without due stages are passed over once, not by every claim', async () => {
    for (let at = 0; at < 30; at += 1) await world.newJob({ of: await world.newAccount() });
    await world.rows(`UPDATE job_stage SET due_at = now() + interval '1 hour'`);
    const [jobId] = await createJobs(world.accountId, 1);
    expect((await claim())?.jobId).toBe(jobId);
    expect(await claim()).toBeNull();
    expect(await world.rows('SELECT FROM turn WHERE waiting')).toEqual([]);
    expect(await world.rows('SELECT FROM turn WHERE wake_at IS NOT NULL')).toHaveLength(30);
    await world.rows(`UPDATE turn SET wake_at = now()`);
    await world.rows(`UPDATE job_stage SET due_at = now() WHERE state = 'pending'`);
    for (let at = 0; at < 30; at += 1) expect(await claim()).not.toBeNull();
  });

  it('an account at its limit of running stages is passed over until one of them ends', async () => {
    const ownJobIds = await createJobs(world.accountId, 4);
    const [otherJobId] = await createJobs(other, 1);
    const claimWithin = async (limit: number) =>
      (await claimNextStage(world.dataSource, 'preprocess', 10, limit))?.jobId;
    const claimed = [await claimWithin(2), await claimWithin(2), await claimWithin(2)];
    expect(claimed.filter((id) => ownJobIds.includes(id ?? ''))).toHaveLength(2);
    expect(claimed).toContain(otherJobId);
    expect(await claimWithin(2)).toBeUndefined();
    await world.rows(`UPDATE job_stage SET state = 'done' WHERE job_id = $1`, ownJobIds[0]);
    expect(ownJobIds).toContain(await claimWithin(2));
    expect(await claimWithin(2)).toBeUndefined();
    expect(ownJobIds).toContain(await claimWithin(3));
  });

  it('no stage is left behind when stages are added and claimed at the same time', async () => {
    const add = async (of: string) => {
      for (let at = 0; at < 25; at += 1) await world.newJob({ of });
    };
    const stages = await claimWhileAdding(() => Promise.all([world.accountId, other, other].map(add)), claim);
    expect(new Set(stages.map(({ jobId }) => jobId)).size).toBe(75);
    expect(await world.rows(`SELECT FROM job_stage WHERE state = 'pending'`)).toEqual([]);
  });

  function countPagesOfClaim(): Promise<number> {
    const statement = CLAIM_NEXT_STAGE_STATEMENT.text
      .replaceAll('$1', `'preprocess'`)
      .replaceAll('$2', '10')
      .replaceAll('$3', 'NULL');
    return countReadPages(world.dataSource, statement);
  }
});

describe('fair scheduling between the jobs of one account', () => {
  it('a short job overtakes the rest of a long one', async () => {
    const long = await createChunkedJob(world.accountId, 30);
    for (let at = 0; at < 5; at += 1) expect((await claim('chunk'))?.jobId).toBe(long);
    const short = await createChunkedJob(world.accountId, 3);
    const claimed = [];
    for (let at = 0; at < 8; at += 1) claimed.push((await claim('chunk'))?.jobId);
    expect(claimed.filter((id) => id === short)).toHaveLength(3);
  });

  it('stages that are added to a job queue behind its waiting stages', async () => {
    const long = await createChunkedJob(world.accountId, 5);
    const more = [{ name: buildChunkStageName(5), chunkIndex: 5, input: null }];
    await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, long, more));
    const indexes = [];
    for (let at = 0; at < 6; at += 1) indexes.push((await claim('chunk'))?.chunkIndex);
    expect(indexes).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('chunks can be claimed while chunking is finalized in a transaction that adds them again', async () => {
    const id = await createChunkedJob(world.accountId, 2);
    const all = [0, 1, 2].map((index) => ({
      name: buildChunkStageName(index),
      chunkIndex: index,
      input: null,
    }));
    const claimed = await inTransaction(world.dataSource, async (tx) => {
      await addOrRestartStages(tx, id, all);
      return [(await claim('chunk'))?.chunkIndex, (await claim('chunk'))?.chunkIndex];
    });
    expect(claimed).toEqual([0, 1]);
    expect((await claim('chunk'))?.chunkIndex).toBe(2);
  });

  it('a long job completes however many shorter jobs follow', async () => {
    const long = await createChunkedJob(world.accountId, 5);
    let remaining = 5;
    for (let at = 0; at < 15 && remaining > 0; at += 1) {
      await createChunkedJob(world.accountId, 1);
      if ((await claim('chunk'))?.jobId === long) remaining -= 1;
    }
    expect(remaining).toBe(0);
  });
});

describe('a queue message without an available stage', () => {
  const { signal } = new AbortController();
  const committing = async () => async () => undefined;
  const run = () => world.runner().run('preprocess', signal, committing);

  it('the runner waits for a stage that is locked for a moment', async () => {
    const [id] = await createJobs(other, 1);
    const query = vi.spyOn(world.dataSource, 'query');
    onTestFinished(() => query.mockRestore());
    const result = await inTransaction(world.dataSource, async (tx) => {
      await tx.query('SELECT FROM job_stage WHERE job_id = $1 FOR UPDATE', [id]);
      const running = run();
      // When it has found nothing, it checks whether a stage is due.
      await vi.waitUntil(() => query.mock.calls.some(([sql]) => sql.includes('SELECT FROM turn WHERE')), {
        timeout: 10_000,
      });
      return { running };
    });
    expect(await result.running).toBe('committed');
  });

  it('the runner returns when no stage is due', async () => {
    expect(await run()).toBe('idle');
  });
});
