import { DeletionPause, inTransaction } from '@app/database';
import {
  buildFetchedAudioKey,
  buildRenderedTranscriptKey,
  buildUploadedAudioKey,
  completeStage,
  deleteJob,
  deleteObjectsOfDeletedJob,
  endJob,
  recordCompletedStep,
  type StageHandler,
} from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteObjectsOfDeletedJobs } from '../../apps/processor/src/maintenance/deleted-job-objects.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const neverAborted = new AbortController().signal;
const QUIET_SECONDS = 30;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

const deleteInTransaction = (id: string) =>
  inTransaction(world.dataSource, (tx) => deleteJob(tx, world.hooks, id, QUIET_SECONDS));
const deleteObjects = (id: string) => deleteObjectsOfDeletedJob(world.dataSource, files.store, id);
const runMaintenance = () => deleteObjectsOfDeletedJobs(world.dataSource, files.store, neverAborted);
const listKeys = async (id: string) =>
  (await files.listKeys('audio/', 'work/', 'transcripts/')).filter((key) => key.includes(id));
const countRows = async (table: string, id: string, column = 'job_id') =>
  (await world.rows(`SELECT FROM ${table} WHERE ${column} = $1`, id)).length;
const readSecondsUntilFinalDeletion = async (id: string) =>
  (
    await world.row<{ seconds: number }>(
      `SELECT round(extract(epoch FROM final_deletion_at - now()))::int AS seconds FROM deleted_job WHERE job_id = $1`,
      id,
    )
  )?.seconds;
/** Only of jobs of which a deletion has succeeded. */
const makeFinalDeletionDue = () =>
  world.rows(
    `UPDATE deleted_job SET final_deletion_at = now() - interval '1 second', next_deletion_at = now()
     WHERE next_deletion_at > now()`,
  );
/** As if the given time had passed. */
const passTime = (id: string, interval: string) =>
  world.rows(
    `UPDATE deleted_job SET final_deletion_at = final_deletion_at - $2::interval,
       next_deletion_at = next_deletion_at - $2::interval WHERE job_id = $1`,
    id,
    interval,
  );

/** Stores an object of each kind. */
async function putObjects(id: string): Promise<void> {
  await files.putBytes(buildUploadedAudioKey(id));
  await files.putBytes(buildFetchedAudioKey(id, 1));
  await files.putBytes(buildRenderedTranscriptKey(id, 1, 'txt'));
}

async function createCompletedJob(): Promise<string> {
  const id = await world.newJob({ metadata: { case: '1' } });
  await putObjects(id);
  const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(id, 1, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  await world.rows(`UPDATE job SET upload_expires_at = now() - interval '8 days' WHERE id = $1`, id);
  return id;
}

describe('the deletion of a job', () => {
  it('a completed job leaves neither rows nor objects, and its ledger stays', async () => {
    const [id, other] = [await createCompletedJob(), await createCompletedJob()];
    await world.rows(
      `INSERT INTO credit_entry (account_id, kind, amount, job_id) VALUES ($1, 'capture', -1, $2)`,
      world.accountId,
      id,
    );
    const entries = await countRows('credit_entry', id);
    expect(await deleteInTransaction(id)).toBe(true);
    expect(await deleteObjects(id)).toBe(true);
    for (const table of ['job_event', 'job_stage', 'job_metadata', 'deleted_job'])
      expect(await countRows(table, id), table).toBe(0);
    expect(await countRows('job', id, 'id')).toBe(0);
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('credit_entry', id)).toBe(entries);
    expect(await listKeys(other)).toHaveLength(3);
  });

  it('a job can be deleted once', async () => {
    const id = await createCompletedJob();
    const deletions = await Promise.all([deleteInTransaction(id), deleteInTransaction(id)]);
    expect(deletions.filter(Boolean)).toHaveLength(1);
    await deleteObjects(id);
  });

  it('the worker of a running stage loses its lease, and what it stores afterwards is deleted', async () => {
    const id = await world.newJob();
    await putObjects(id);
    const work: StageHandler = async (_, signal) => {
      expect(await deleteInTransaction(id)).toBe(true);
      await deleteObjects(id);
      expect(await listKeys(id)).toEqual([]);
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await putObjects(id);
      throw signal.reason as Error;
    };
    const runner = world.runner({ leaseSeconds: 1 });
    expect(await world.run(id, 'preprocess', neverAborted, work, runner)).toBe('stale');
    expect(await readSecondsUntilFinalDeletion(id)).toBeGreaterThan(QUIET_SECONDS - 10);
    await runMaintenance();
    expect(await listKeys(id), 'more may be stored').toHaveLength(3);
    await makeFinalDeletionDue();
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('a worker that finishes its stage after the deletion commits nothing', async () => {
    const id = await world.newJob();
    const work: StageHandler = async (stage) => {
      await deleteInTransaction(id);
      return async (tx) => {
        await recordCompletedStep(tx, id, stage.name);
        await completeStage(tx, stage, null);
        await tx.query(`UPDATE account SET name = 'changed' WHERE id = $1`, [world.accountId]);
      };
    };
    expect(await world.run(id, 'preprocess', neverAborted, work)).toBe('stale');
    expect(await world.row('SELECT name FROM account WHERE id = $1', world.accountId)).toEqual({
      name: 'test',
    });
  });

  it('audio that arrives by the signed URL of a pending upload is deleted when that has expired', async () => {
    const id = await world.newJob({ enqueue: false });
    await deleteInTransaction(id);
    await deleteObjects(id);
    expect(await readSecondsUntilFinalDeletion(id)).toBeGreaterThan(3_500);
    await files.putBytes(buildUploadedAudioKey(id));
    await makeFinalDeletionDue();
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('audio of a PUT that outlasts its signed URL is deleted within a day, up to a week after the expiry', async () => {
    const id = await createCompletedJob();
    await world.rows(`UPDATE job SET upload_expires_at = now() + interval '10 seconds' WHERE id = $1`, id);
    await deleteInTransaction(id);
    await deleteObjects(id);
    await passTime(id, '11 seconds');
    await runMaintenance();
    for (let day = 1; day <= 7; day++) {
      await files.putBytes(buildUploadedAudioKey(id));
      await runMaintenance();
      expect(await listKeys(id), `day ${day}`).toHaveLength(1);
      await passTime(id, '1 day');
      await runMaintenance();
      expect(await listKeys(id), `day ${day}`).toEqual([]);
    }
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('nothing is awaited after the expiry of the signed URLs of an upload in parts', async () => {
    const id = await createCompletedJob();
    await world.rows(`UPDATE job SET source = 'multipart', upload_expires_at = now() WHERE id = $1`, id);
    await deleteInTransaction(id);
    await deleteObjects(id);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('audio that arrives again by the signed URL of a completed upload is deleted when that has expired', async () => {
    const id = await createCompletedJob();
    await world.rows(`UPDATE job SET upload_expires_at = now() + interval '1 hour' WHERE id = $1`, id);
    await deleteInTransaction(id);
    await deleteObjects(id);
    expect(await listKeys(id)).toEqual([]);
    expect(await readSecondsUntilFinalDeletion(id)).toBeGreaterThan(3_500);
    await files.putBytes(buildUploadedAudioKey(id));
    await makeFinalDeletionDue();
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('maintenance deletes objects at once that were not deleted with the row, and again when no more can arrive', async () => {
    const id = await createCompletedJob();
    await world.rows(`UPDATE job SET upload_expires_at = now() + interval '1 hour' WHERE id = $1`, id);
    await deleteInTransaction(id);
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    await files.putBytes(buildUploadedAudioKey(id));
    await runMaintenance();
    expect(await listKeys(id), 'a deletion that succeeded is not repeated at once').toHaveLength(1);
    await makeFinalDeletionDue();
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('objects that a running backup needs are deleted after it', async () => {
    const id = await createCompletedJob();
    const pause = await DeletionPause.begin(world.url, { maxWaitSeconds: 1, onWait: () => undefined });
    try {
      expect(await deleteInTransaction(id)).toBe(true);
      expect(await deleteObjects(id)).toBe(false);
      expect(await runMaintenance()).toBe(false);
      expect(await listKeys(id)).toHaveLength(3);
    } finally {
      await pause.close();
    }
    await runMaintenance();
    expect(await listKeys(id)).toEqual([]);
    expect(await countRows('deleted_job', id)).toBe(0);
  });

  it('a failed deletion of objects is repeated, and does not stop those of other jobs', async () => {
    const [failing, other] = [await createCompletedJob(), await createCompletedJob()];
    for (const id of [failing, other]) await deleteInTransaction(id);
    const store = {
      abortMultipart: files.store.abortMultipart.bind(files.store),
      deleteAll: (request: Parameters<FileObjectStore['deleteAll']>[0]) =>
        request.keys.includes(buildUploadedAudioKey(failing))
          ? Promise.reject(new Error('unavailable'))
          : files.store.deleteAll(request),
    };
    await expect(deleteObjectsOfDeletedJobs(world.dataSource, store, neverAborted)).rejects.toThrow(
      `job ${failing}: unavailable`,
    );
    expect([await countRows('deleted_job', failing), await countRows('deleted_job', other)]).toEqual([1, 0]);
    await passTime(failing, '1 minute');
    await runMaintenance();
    expect(await listKeys(failing)).toEqual([]);
    expect(await countRows('deleted_job', failing)).toBe(0);
  });
});
