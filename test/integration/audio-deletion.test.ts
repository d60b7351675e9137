import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildTranscriptDocumentKey,
  buildFailedOutcome,
  endJob,
  type JobOutcome,
  buildRenderedTranscriptKey,
} from '@app/jobs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AudioAndIntermediateObjectDeletion } from '../../apps/processor/src/maintenance/audio-and-intermediate-object-deletion.js';
import { CLAIM_JOBS_FOR_AUDIO_DELETION_SQL } from '../../apps/processor/src/maintenance/job-objects.repository.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { readPlan } from '../support/query-plan.js';

const neverAborted = new AbortController().signal;

let world: World;
let files: ThrowawayStore;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
});
afterEach(() => files.close());

const listSourceKeys = () => files.listKeys('audio/', 'work/');
const listAllKeys = () => files.listKeys('audio/', 'work/', 'transcripts/');

/** Creates a job with its audio, a chunk and the transcripts of two attempts of aggregation. */
async function createEndedJob(outcome: JobOutcome, id?: string): Promise<string> {
  const jobId = id ?? (await world.newJob());
  await files.putBytes(buildUploadedAudioKey(jobId));
  await files.putBytes(buildChunkKey(jobId, 1, { chunking: 1, index: 0 }));
  for (const fence of [1, 2]) {
    await files.putBytes(buildTranscriptDocumentKey(jobId, fence));
    await files.putBytes(buildRenderedTranscriptKey(jobId, fence, 'txt'));
  }
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, jobId, outcome));
  return jobId;
}

const runDeletion = (graceSeconds = 0) =>
  new AudioAndIntermediateObjectDeletion(world.dataSource, files.store, { graceSeconds }).runBatch(
    neverAborted,
  );

describe('AudioAndIntermediateObjectDeletion', () => {
  it('the audio and chunks of a completed job are deleted, and its transcript stays', async () => {
    const id = await world.newJob();
    await createEndedJob({ status: 'completed', resultKey: buildRenderedTranscriptKey(id, 2, 'txt') }, id);
    await runDeletion();
    expect(await listAllKeys()).toEqual(
      [buildTranscriptDocumentKey(id, 2), buildRenderedTranscriptKey(id, 2, 'txt')].toSorted(),
    );
  });

  it('the audio and chunks of a failed or cancelled job are deleted, and its stored transcripts stay', async () => {
    const id = await createEndedJob(buildFailedOutcome('cancelled', 'Cancelled.'));
    await runDeletion();
    expect(await files.listKeys('audio/', 'work/')).toEqual([]);
    expect(await files.listKeys(`transcripts/${id}/`)).toHaveLength(4);
  });

  it('a transcript of a later attempt than the published one stays', async () => {
    const id = await world.newJob();
    await createEndedJob({ status: 'completed', resultKey: buildRenderedTranscriptKey(id, 1, 'txt') }, id);
    await runDeletion();
    expect(await files.listKeys('transcripts/')).toHaveLength(4);
  });

  it('the files of a failed job stay for the quiet period, so that its worker can stop', async () => {
    await createEndedJob(buildFailedOutcome('cancelled', 'Cancelled.'));
    await runDeletion(60);
    expect(await listAllKeys()).toHaveLength(6);
  });

  it('a job that cannot be cleaned does not block other jobs', async () => {
    const undeletable = await createEndedJob(buildFailedOutcome('upload', 'x'));
    await world.rows(`UPDATE job SET upload_id = 'u' WHERE id = $1`, undeletable);
    const others = [
      await createEndedJob(buildFailedOutcome('upload', 'x')),
      await createEndedJob(buildFailedOutcome('upload', 'x')),
    ];
    files.store.abortMultipart = () => Promise.reject(new Error('no such upload'));
    await expect(runDeletion()).rejects.toThrow('no such upload');
    const remaining = await world.rows('SELECT id FROM job WHERE audio_deleted_at IS NULL');
    expect(remaining).toEqual([{ id: undeletable }]);
    expect((await listSourceKeys()).filter((key) => others.some((id) => key.includes(id)))).toEqual([]);
  });

  it('jobs that cannot be cleaned do not stay at the head of the batch', async () => {
    const ids = [
      await createEndedJob(buildFailedOutcome('upload', 'x')),
      await createEndedJob(buildFailedOutcome('upload', 'x')),
    ];
    await world.rows(`UPDATE job SET finished_at = '2020-01-01T00:00:00.123456Z'`);
    const [undeletable = '', other = ''] = ids.toSorted();
    await world.rows(`UPDATE job SET upload_id = 'u' WHERE id = $1`, undeletable);
    files.store.abortMultipart = () => Promise.reject(new Error('no such upload'));
    const deletion = new AudioAndIntermediateObjectDeletion(world.dataSource, files.store, {
      graceSeconds: 0,
      batchJobs: 1,
    });
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('no such upload');
    expect(await deletion.runBatch(neverAborted)).toBe(true);
    expect((await listSourceKeys()).filter((key) => key.includes(other))).toEqual([]);
  });

  it('several processors delete the audio of different jobs', async () => {
    for (let at = 0; at < 12; at += 1) await createEndedJob(buildFailedOutcome('upload', 'x'));
    const deletedKeys: string[] = [];
    const deleteAll = files.store.deleteAll.bind(files.store);
    files.store.deleteAll = (deletion) => {
      deletedKeys.push(...deletion.keys);
      return deleteAll(deletion);
    };
    const options = { graceSeconds: 0, batchJobs: 4 };
    const deletions = [1, 2, 3].map(
      () => new AudioAndIntermediateObjectDeletion(world.dataSource, files.store, options),
    );
    expect(await Promise.all(deletions.map((deletion) => deletion.runBatch(neverAborted)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(new Set(deletedKeys).size).toBe(12);
    expect(deletedKeys).toHaveLength(12);
    expect(await listSourceKeys()).toEqual([]);
  });

  it('the audio that a killed processor was deleting is deleted by another one after the lease', async () => {
    const id = await createEndedJob(buildFailedOutcome('upload', 'x'));
    const claim = `UPDATE job SET audio_delete_from = now() + $2::interval WHERE id = $1`;
    await world.rows(claim, id, '60 seconds');
    await runDeletion();
    expect(await listSourceKeys()).toHaveLength(2);
    await world.rows(claim, id, '0 seconds');
    await runDeletion();
    expect(await listSourceKeys()).toEqual([]);
  });

  it('a claim reads as many rows of a large backlog as it takes', async () => {
    await world.rows(
      `INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, finished_at)
       SELECT gen_random_uuid(), $1, now() + n * interval '1 microsecond', 'completed', 'upload', '{}', 'a', 'b',
         now() - n * interval '1 second'
       FROM generate_series(1, 5000) AS n`,
      world.accountId,
    );
    await world.rows('ANALYZE job');
    const plan = await readPlan(
      world.dataSource,
      `EXPLAIN ANALYZE ${CLAIM_JOBS_FOR_AUDIO_DELETION_SQL.replace('$1', '15').replace('$2', '20').replace('$3', '60')}`,
    );
    expect(plan).toContain('job_audio_due');
    expect(plan).not.toContain('Sort');
    expect(plan).not.toContain('Seq Scan');
  });
});
