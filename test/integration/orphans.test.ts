import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildTranscriptDocumentKey,
  endJob,
  buildRenderedTranscriptKey,
} from '@app/jobs';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { ageOrphanObservations, createStoreScans } from '../support/store-scans.js';

let world: World;
let files: ThrowawayStore;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
});
afterEach(() => files.close());

const listKeys = () => files.listKeys('audio/', 'work/', 'transcripts/');
const putObjects = async (...keysToPut: string[]) => {
  for (const key of keysToPut) await files.putBytes(key);
};
const markAudioDeleted = (id: string) =>
  world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', id);
const completeJob = async (id: string, attempt: number) => {
  const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(id, attempt, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  await markAudioDeleted(id);
};
const spyOnWarnings = () => {
  const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  return () => warn.mock.calls.map(([, message]) => String(message));
};

describe('objects that a row marks for deletion', () => {
  it('audio that arrives after the cleanup of its job is deleted by the second scan', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const id = await world.newJob();
    await putObjects(buildUploadedAudioKey(id));
    await markAudioDeleted(id);
    await scanOnce();
    expect(await listKeys()).toHaveLength(1);
    await scanOnce();
    expect(await listKeys()).toEqual([]);
  });

  it('chunks that a paused worker wrote after the cleanup of its job are deleted at once, and chunks of other jobs stay', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const [endedJobId, runningJobId] = [await world.newJob(), await world.newJob()];
    await markAudioDeleted(endedJobId);
    await putObjects(
      buildChunkKey(endedJobId, 1, { chunking: 1, index: 0 }),
      buildChunkKey(runningJobId, 1, { chunking: 1, index: 0 }),
    );
    await scanOnce();
    expect(await listKeys()).toEqual([buildChunkKey(runningJobId, 1, { chunking: 1, index: 0 })]);
  });

  it('transcripts of earlier attempts and of expired jobs are deleted', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const [id, old, runningJobId] = [await world.newJob(), await world.newJob(), await world.newJob()];
    for (const each of [id, old]) await completeJob(each, 2);
    await world.rows('UPDATE job SET result_key = NULL WHERE id = $1', old);
    await putObjects(
      buildTranscriptDocumentKey(id, 1),
      buildTranscriptDocumentKey(id, 2),
      buildTranscriptDocumentKey(old, 2),
      buildTranscriptDocumentKey(runningJobId, 1),
    );
    await scanOnce();
    expect(await listKeys()).toEqual(
      [buildTranscriptDocumentKey(id, 2), buildTranscriptDocumentKey(runningJobId, 1)].toSorted(),
    );
  });
});

describe('objects without a row', () => {
  it('orphaned chunks are deleted after the retention period and several scans, with a log message', async () => {
    const listWarnings = spyOnWarnings();
    const scans = createStoreScans(world, files);
    const key = buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 });
    await putObjects(key);
    await scans.scanDaily(8);
    expect(await listKeys()).toEqual([key]);
    expect(scans.observed.get('work/')).toBe(1);
    await scans.scanDaily(1);
    expect(await listKeys()).toEqual([]);
    expect(listWarnings()).toContainEqual(expect.stringContaining('deleted orphans under work/'));
  });

  it('audio and transcripts of unknown jobs are never deleted and are held for an operator', async () => {
    const listWarnings = spyOnWarnings();
    const scans = createStoreScans(world, files);
    const orphanKeys = [
      buildUploadedAudioKey(uuidv7()),
      buildTranscriptDocumentKey(uuidv7(), 1),
      buildRenderedTranscriptKey(uuidv7(), 3, 'txt'),
    ];
    await putObjects(...orphanKeys);
    await scans.scanDaily(40);
    expect(await listKeys()).toEqual(orphanKeys.toSorted());
    expect([scans.held.get('audio/'), scans.held.get('transcripts/')]).toEqual([1, 2]);
    const heldWarnings = listWarnings().filter((message) => message.includes('store orphans'));
    expect(heldWarnings).toHaveLength(2);
  });

  it('the transcript of a job that did not complete is deleted after the retention period', async () => {
    const scans = createStoreScans(world, files);
    const id = await world.newJob();
    const outcome = { status: 'failed', stage: 'cancelled', reason: 'x' } as const;
    await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
    await markAudioDeleted(id);
    await putObjects(buildTranscriptDocumentKey(id, 1));
    await scans.scanDaily(8);
    expect(await listKeys()).toEqual([buildTranscriptDocumentKey(id, 1)]);
    await scans.scanDaily(1);
    expect(await listKeys()).toEqual([]);
  });

  it('a transcript of a later attempt than the published one is retained', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const id = await world.newJob();
    await completeJob(id, 1);
    await putObjects(buildTranscriptDocumentKey(id, 1), buildTranscriptDocumentKey(id, 3));
    await scanOnce();
    expect(await listKeys()).toHaveLength(2);
  });

  it('orphans over the orphan limit stay until an operator decides', async () => {
    const scans = createStoreScans(world, files);
    const orphans = Array.from({ length: 21 }, () => buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 }));
    await putObjects(...orphans);
    await scans.scanDaily(10);
    expect(await listKeys()).toHaveLength(21);
    expect(scans.held.get('work/')).toBe(21);
    await files.store.delete(orphans[0] ?? '');
    await scans.scanDaily(2);
    expect(await listKeys()).toEqual([]);
  });

  it('orphans stay during the first hour of a process, and when automatic deletion is turned off', async () => {
    const key = buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 });
    await putObjects(key);
    for (const options of [{ orphanDelaySeconds: 604_800 }, { orphanRetentionDays: 0 }])
      await createStoreScans(world, files, options).scanDaily(10);
    expect(await listKeys()).toEqual([key]);
  });

  it('an orphan that was not observed for more than a day starts over', async () => {
    const scans = createStoreScans(world, files);
    const key = buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 });
    await putObjects(key);
    await scans.scanDaily(7);
    await ageOrphanObservations(world, '30 days');
    await scans.scanDaily(8);
    expect(await listKeys()).toEqual([key]);
  });

  it('an orphan whose row appears is no longer observed', async () => {
    const scans = createStoreScans(world, files);
    const id = await world.newJob();
    const key = buildChunkKey(id, 1, { chunking: 1, index: 0 });
    await putObjects(key);
    const account = await world.row<{ job: object }>(
      'SELECT to_jsonb(job) AS job FROM job WHERE id = $1',
      id,
    );
    await world.rows('DELETE FROM job WHERE id = $1', id);
    await scans.scanDaily(6);
    expect(await world.rows('SELECT key FROM orphan_observation')).toEqual([{ key }]);
    await world.rows('INSERT INTO job SELECT * FROM jsonb_populate_record(NULL::job, $1)', account?.job);
    await scans.scanDaily(10);
    expect(await listKeys()).toEqual([key]);
    expect(await world.rows('SELECT key FROM orphan_observation')).toEqual([]);
  });

  it('keys without a job id belong to other software and are never touched', async () => {
    const scans = createStoreScans(world, files);
    const others = ['audio/notes.txt', 'work/notes/x', 'transcripts/notes/x'];
    await putObjects(...others);
    await files.store.createMultipart('audio/notes', 'a/b');
    await scans.scanDaily(30);
    expect(await listKeys()).toEqual(others);
    expect(scans.observed.get('work/')).toBe(0);
    for await (const { key } of files.store.listUploads('')) expect(key).toBe('audio/notes');
  });

  it('an orphan that cannot be deleted does not block others', async () => {
    const scans = createStoreScans(world, files);
    const stuck = buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 });
    await putObjects(stuck, buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 }));
    await scans.scanDaily(8);
    const deleteObject = files.store.delete.bind(files.store);
    files.store.delete = (key) =>
      key === stuck ? Promise.reject(new Error('it cannot be deleted')) : deleteObject(key);
    await expect(scans.scanDaily(1)).rejects.toThrow(`${stuck}: it cannot be deleted`);
    expect(await listKeys()).toEqual([stuck]);
  });
});
