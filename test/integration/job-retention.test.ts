import { inTransaction } from '@app/database';
import {
  buildRenderedTranscriptKey,
  buildTranscriptDocumentKey,
  buildUploadedAudioKey,
  endJob,
  readJobEvents,
} from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deleteObjectsOfDeletedJobs } from '../../apps/processor/src/maintenance/deleted-job-objects.js';
import { ExpiredJobStageAndEventDeletion } from '../../apps/processor/src/maintenance/expired-job-stage-and-event-deletion.js';
import {
  DELETE_DETAILS_OF_OLD_JOBS_SQL,
  FIND_EXPIRED_JOBS_SQL,
} from '../../libs/jobs/src/retention/job-retention.repository.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { readPlan } from '../support/query-plan.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const neverAborted = new AbortController().signal;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
});
afterEach(() => files.close());

/** With two events, a stage, a transcript and an entry of the ledger. */
async function createEndedJob(daysAgo: number): Promise<string> {
  const id = await world.newJob({ metadata: { case: '1' } });
  await files.putBytes(buildTranscriptDocumentKey(id, 1));
  await inTransaction(world.dataSource, async (tx) => {
    await tx.query(`INSERT INTO job_event (job_id, seq, type, data) VALUES ($1, 1, 'progress', '{}')`, [id]);
    await tx.query('UPDATE job SET event_seq = 1 WHERE id = $1', [id]);
    await endJob(tx, world.hooks, id, {
      status: 'completed',
      resultKey: buildRenderedTranscriptKey(id, 1, 'txt'),
    });
  });
  await world.rows(
    `UPDATE job SET finished_at = now() - make_interval(days => $2), audio_deleted_at = now() WHERE id = $1`,
    id,
    daysAgo,
  );
  await world.rows(
    `INSERT INTO credit_entry (account_id, kind, amount, job_id) VALUES ($1, 'capture', -1, $2)`,
    world.accountId,
    id,
  );
  return id;
}

const createRetention = (jobDays: number, jobDetailDays = 7, batchJobs = 10) =>
  new ExpiredJobStageAndEventDeletion(world.dataSource, files.store, { jobDays, jobDetailDays, batchJobs });
const findJobIds = async () =>
  (await world.rows<{ id: string }>('SELECT id FROM job ORDER BY finished_at DESC')).map(({ id }) => id);
const countStages = (id: string) => world.rows('SELECT FROM job_stage WHERE job_id = $1', id);
const readEvents = (id: string) => readJobEvents(world.dataSource, world.accountId, id, 0);

describe('the details of an ended job', () => {
  it('stages and all events but the last are deleted after the retention period, and the job stays', async () => {
    const [young, old] = [await createEndedJob(6), await createEndedJob(8)];
    expect(await createRetention(0).deleteStagesAndEvents()).toBe(false);
    expect((await readEvents(old))?.map(({ type, seq }) => [type, seq])).toEqual([['completed', 2]]);
    expect(await countStages(old)).toHaveLength(0);
    expect((await readEvents(young))?.map(({ type }) => type)).toEqual(['progress', 'completed']);
    expect(await countStages(young)).toHaveLength(1);
    expect(await findJobIds()).toEqual([young, old]);
  });

  it('a job that runs, or whose audio is not deleted yet, keeps its details', async () => {
    const [open, withAudio] = [await world.newJob(), await createEndedJob(30)];
    await world.rows('UPDATE job SET audio_deleted_at = NULL WHERE id = $1', withAudio);
    await createRetention(1, 1).deleteStagesAndEvents();
    expect(await countStages(open)).toHaveLength(1);
    expect(await countStages(withAudio)).toHaveLength(1);
  });

  it('each batch is bounded, and the oldest jobs come first', async () => {
    const [young, middle, old] = [await createEndedJob(8), await createEndedJob(9), await createEndedJob(10)];
    const retention = createRetention(0, 7, 2);
    expect(await retention.deleteStagesAndEvents()).toBe(true);
    expect(await countStages(young)).toHaveLength(1);
    expect([...(await countStages(middle)), ...(await countStages(old))]).toHaveLength(0);
    expect(await retention.deleteStagesAndEvents()).toBe(false);
    expect(await countStages(young)).toHaveLength(0);
  });
});

describe('the retention of jobs', () => {
  it('audio that a PUT stores after the deletion of its job is deleted', async () => {
    const [recent, old] = [await createEndedJob(2), await createEndedJob(2)];
    await world.rows(`UPDATE job SET upload_expires_at = now() - interval '8 days' WHERE id = $1`, old);
    const retention = createRetention(1, 1);
    await retention.deleteStagesAndEvents();
    await retention.deleteJobs(neverAborted);
    expect(await findJobIds()).toEqual([]);
    const deleted = await world.rows<{ id: string }>('SELECT job_id AS id FROM deleted_job');
    expect(deleted, 'only whose signed URL expired less than a week ago').toEqual([{ id: recent }]);
    await files.putBytes(buildUploadedAudioKey(recent));
    await deleteObjectsOfDeletedJobs(world.dataSource, files.store, neverAborted);
    expect(await files.listKeys('audio/')).toEqual([]);
  });

  it('an old job is deleted with its transcript and rows, and its entries of the ledger stay', async () => {
    const [young, old] = [await createEndedJob(29), await createEndedJob(31)];
    const retention = createRetention(30);
    await retention.deleteStagesAndEvents();
    expect(await retention.deleteJobs(neverAborted)).toBe(false);
    expect(await findJobIds()).toEqual([young]);
    expect(await readEvents(old)).toBeNull();
    expect(await world.rows('SELECT FROM job_metadata WHERE job_id = $1', old)).toEqual([]);
    expect(await world.rows('SELECT FROM credit_entry WHERE job_id = $1', old)).toHaveLength(1);
    const keys = [];
    for await (const { key } of files.store.list('transcripts/')) keys.push(key);
    expect(keys).toEqual([buildTranscriptDocumentKey(young, 1)]);
  });

  it('jobs are kept for ever without a retention period', async () => {
    const old = await createEndedJob(36_000);
    const retention = createRetention(0);
    await retention.deleteStagesAndEvents();
    expect(await retention.deleteJobs(neverAborted)).toBe(false);
    expect(await findJobIds()).toEqual([old]);
  });

  it('a job whose retention is shorter than that of its details is deleted with them', async () => {
    await createEndedJob(3);
    const retention = createRetention(2, 7);
    await retention.deleteStagesAndEvents();
    await retention.deleteJobs(neverAborted);
    expect(await findJobIds()).toEqual([]);
  });

  it('a job stays while its webhook is not delivered', async () => {
    const old = await createEndedJob(31);
    await world.rows(
      `INSERT INTO webhook_delivery (id, account_id, job_id, url, event) VALUES (gen_random_uuid(), $1, $2, 'http://a', 'completed')`,
      world.accountId,
      old,
    );
    const retention = createRetention(30);
    await retention.deleteStagesAndEvents();
    await retention.deleteJobs(neverAborted);
    expect(await findJobIds()).toEqual([old]);
    await world.rows(`UPDATE webhook_delivery SET state = 'delivered'`);
    await retention.deleteJobs(neverAborted);
    expect(await findJobIds()).toEqual([]);
  });

  it('jobs whose transcripts cannot be deleted do not stop the deletion of others', async () => {
    const denied = [await createEndedJob(40), await createEndedJob(39), await createEndedJob(38)];
    await createEndedJob(37);
    await createEndedJob(36);
    const store = {
      deleteAll: async ({ prefixes }: { prefixes: readonly string[] }) => {
        if (denied.some((id) => prefixes.includes(`transcripts/${id}/`))) throw new Error('denied');
      },
    };
    const options = { jobDays: 30, jobDetailDays: 7, batchJobs: 2 };
    const retention = new ExpiredJobStageAndEventDeletion(world.dataSource, store, options);
    while (await retention.deleteStagesAndEvents());
    for (let round = 0; round < 2; round += 1)
      await expect(retention.deleteJobs(neverAborted)).rejects.toThrow('denied');
    await retention.deleteJobs(neverAborted);
    expect((await findJobIds()).toSorted()).toEqual(denied.toSorted());
  });

  it('a job whose transcript cannot be deleted keeps its row', async () => {
    const old = await createEndedJob(31);
    const store = { deleteAll: () => Promise.reject(new Error('the store is unavailable')) };
    const retention = new ExpiredJobStageAndEventDeletion(world.dataSource, store, {
      jobDays: 30,
      jobDetailDays: 7,
    });
    await retention.deleteStagesAndEvents();
    await expect(retention.deleteJobs(neverAborted)).rejects.toThrow('unavailable');
    expect(await findJobIds()).toEqual([old]);
  });

  it.each([
    ['details', DELETE_DETAILS_OF_OLD_JOBS_SQL, 'job_details_kept'],
    ['jobs', FIND_EXPIRED_JOBS_SQL, 'job_details_deleted'],
  ])('the oldest %s are found by an index, without sorting', async (_, statement, index) => {
    // The plan depends on what the tables held before, if autovacuum has counted it.
    const unused = await createJobWorld();
    onTestFinished(() => unused.close());
    const plan = await inTransaction(unused.dataSource, async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      await tx.query('SET LOCAL enable_bitmapscan = off');
      return readPlan(
        tx,
        `EXPLAIN ${statement.replaceAll('$1', '7').replaceAll('$2', '100').replaceAll('$3', `'{}'`)}`,
      );
    });
    expect(plan).toContain(`Index Scan using ${index}`);
    expect(plan).not.toContain('Sort');
  });
});
