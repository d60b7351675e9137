import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildDocumentKey,
  buildFailedOutcome,
  finishJob,
  type JobOutcome,
  buildRenderingKey,
} from '@app/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudioDeletion } from '../../apps/processor/src/maintenance/job-object-deletion.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;

let world: World;
let files: ThrowawayStore;
beforeEach(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterEach(async () => {
  await files.close();
  await world.close();
});

const listSourceKeys = () => files.listKeys('audio/', 'work/');
const listAllKeys = () => files.listKeys('audio/', 'work/', 'transcripts/');

/** Creates a job with its audio, a chunk and the transcripts of two attempts of aggregation. */
async function createEndedJob(outcome: JobOutcome, id?: string): Promise<string> {
  const jobId = id ?? (await world.newJob());
  await files.putBytes(buildUploadedAudioKey(jobId));
  await files.putBytes(buildChunkKey(jobId, 1, { chunking: 1, index: 0 }));
  for (const fence of [1, 2]) {
    await files.putBytes(buildDocumentKey(jobId, fence));
    await files.putBytes(buildRenderingKey(jobId, fence, 'txt'));
  }
  await inTransaction(world.dataSource, (tx) => finishJob(tx, world.hooks, jobId, outcome));
  return jobId;
}

const runDeletion = (quietSeconds = 0) =>
  createAudioDeletion(world.dataSource, files.store, quietSeconds).runBatch(neverAborted);

describe('createAudioDeletion', () => {
  it('the audio and chunks of a completed job are deleted, and its transcript stays', async () => {
    const id = await world.newJob();
    await createEndedJob({ status: 'completed', resultKey: buildRenderingKey(id, 2, 'txt') }, id);
    await runDeletion();
    expect(await listAllKeys()).toEqual(
      [buildDocumentKey(id, 2), buildRenderingKey(id, 2, 'txt')].toSorted(),
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
    await createEndedJob({ status: 'completed', resultKey: buildRenderingKey(id, 1, 'txt') }, id);
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
    const deletion = createAudioDeletion(world.dataSource, files.store, 0, 1);
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('no such upload');
    expect(await deletion.runBatch(neverAborted)).toBe(true);
    expect((await listSourceKeys()).filter((key) => key.includes(other))).toEqual([]);
  });
});
