import { inTransaction } from '@app/database';
import {
  markAudioIntakeAbandoned,
  buildUploadedAudioKey,
  beginAudioIntake,
  createJobAndEnqueueIfUrl,
  DEFAULT_JOB_OPTIONS,
  deleteAudioIntakeUnlessAbandoned,
  expireAudioIntakeNow,
} from '@app/jobs';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createStoreScans } from '../support/store-scans.js';

let world: World;
let files: ThrowawayStore;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
});
afterEach(() => files.close());

const listAudioKeys = () => files.listKeys('audio/');

/** Stores the audio of a request whose job does not exist yet. */
async function receiveAudio(): Promise<string> {
  const id = uuidv7();
  await beginAudioIntake(world.dataSource, id, 3_600);
  await files.putBytes(buildUploadedAudioKey(id));
  return id;
}
const createJobOfIntake = (id: string) =>
  inTransaction(world.dataSource, async (tx) => {
    if (!(await deleteAudioIntakeUnlessAbandoned(tx, id))) return false;
    const job = { id, accountId: world.accountId, source: 'stream', options: DEFAULT_JOB_OPTIONS } as const;
    const rest = { audioUrl: null, contentType: 'audio/wav', uploadSeconds: null, deadlineSeconds: 60 };
    await createJobAndEnqueueIfUrl(tx, { ...job, ...rest });
    return true;
  });
const listIntakeIds = async () =>
  (await world.rows<{ id: string }>('SELECT job_id AS id FROM audio_intake')).map(({ id }) => id);

describe('audio of an interrupted request without a job', () => {
  it('the audio and its row are deleted by the second scan', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const id = await receiveAudio();
    await scanOnce();
    expect(await listAudioKeys()).toEqual([buildUploadedAudioKey(id)]);
    await scanOnce();
    expect([await listAudioKeys(), await listIntakeIds()]).toEqual([[], []]);
  });

  it('the audio is kept when its job is created between two scans', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const id = await receiveAudio();
    await scanOnce();
    expect(await createJobOfIntake(id)).toBe(true);
    await scanOnce();
    await scanOnce();
    expect(await listAudioKeys()).toEqual([buildUploadedAudioKey(id)]);
  });

  it('no job can be created for audio whose deletion has begun', async () => {
    const id = await receiveAudio();
    expect(await markAudioIntakeAbandoned(world.dataSource, id)).toBe(true);
    expect(await createJobOfIntake(id)).toBe(false);
    const created = await receiveAudio();
    await createJobOfIntake(created);
    expect(await markAudioIntakeAbandoned(world.dataSource, created)).toBe(false);
  });

  it('the row of an expired intake without stored audio is deleted', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const [waiting, over] = [uuidv7(), uuidv7()];
    for (const id of [waiting, over]) await beginAudioIntake(world.dataSource, id, 3_600);
    await expireAudioIntakeNow(world.dataSource, over);
    await scanOnce();
    expect(await listIntakeIds()).toEqual([waiting]);
  });

  it('audio that cannot be deleted does not block other audio and is retried by the next scan', async () => {
    const { scanOnce } = createStoreScans(world, files);
    const ids = [await receiveAudio(), await receiveAudio(), await receiveAudio()];
    const [stuck = ''] = ids;
    const deleteObject = files.store.delete.bind(files.store);
    const failingDelete = vi
      .spyOn(files.store, 'delete')
      .mockImplementation((key) =>
        key === buildUploadedAudioKey(stuck)
          ? Promise.reject(new Error('it cannot be deleted'))
          : deleteObject(key),
      );
    onTestFinished(() => failingDelete.mockRestore());
    await scanOnce();
    await expect(scanOnce()).rejects.toThrow(`${buildUploadedAudioKey(stuck)}: it cannot be deleted`);
    expect(await listAudioKeys()).toEqual([buildUploadedAudioKey(stuck)]);
    failingDelete.mockRestore();
    await scanOnce();
    expect(await listAudioKeys()).toEqual([]);
  });
});
