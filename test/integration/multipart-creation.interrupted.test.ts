import { DEFAULT_JOB_OPTIONS, markAudioIntakeAbandoned, parseJobIdFromKey } from '@app/jobs';
import type { FileObjectStore, PresignPartOptions } from '@app/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import type { SaveResponseCallback } from '../../apps/api/src/idempotency/idempotency.service.js';
import { MultipartUploadCreationService } from '../../apps/api/src/uploads/multipart-creation.service.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createStoreScans, type StoreScans } from '../support/store-scans.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const LIMITS = { multipartBytes: 2 ** 30, multipartSeconds: 3_600, deadlineSeconds: 60 } as ApiOptions;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
let scans: StoreScans;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
  scans = createStoreScans(world, files);
});
afterEach(() => files.close());

function createUpload(saveResponse?: SaveResponseCallback) {
  const creation = new MultipartUploadCreationService(
    world.dataSource,
    files.store,
    { forPendingJob: () => 'http://x/' } as never,
    { toValidatedRequest: async () => ({ options: DEFAULT_JOB_OPTIONS, metadata: null }) } as never,
    { assertCreditOrRecharge: async () => undefined } as never,
    { admit: (_: string, __: object, create: () => unknown) => create() } as never,
    LIMITS,
  );
  return creation.createUpload({ accountId: world.accountId, keyId: 'k' }, { file_size: 10 }, saveResponse);
}

async function countOpenUploads(): Promise<number> {
  let count = 0;
  for await (const _ of files.store.listUploads('audio/')) count += 1;
  return count;
}
const countIntakes = async () => (await world.rows('SELECT FROM audio_intake')).length;
const scanThreeTimes = async () => {
  for (let times = 0; times < 3; times += 1) await scans.scanOnce();
};

describe('the upload of a multipart create', () => {
  it('stays when its job exists', async () => {
    await createUpload();
    expect(await countIntakes()).toBe(0);
    await scanThreeTimes();
    expect(await countOpenUploads()).toBe(1);
  });

  it('is aborted if the process died before its job existed, and is no orphan', async () => {
    const sign = vi.spyOn(files.store, 'presignPart').mockReturnValue(new Promise(() => undefined));
    void createUpload();
    await expect.poll(() => sign.mock.calls.length).toBe(1);
    await scanThreeTimes();
    expect([await countOpenUploads(), scans.observed.get('uploads to audio/')]).toEqual([1, 0]);
    // No request signs URLs for so long.
    await world.rows(`UPDATE audio_intake SET expires_at = expires_at - interval '1 hour'`);
    await scanThreeTimes();
    expect([await countOpenUploads(), scans.observed.get('uploads to audio/')]).toEqual([0, 0]);
  });

  it('is aborted if its job could not be stored, with its row', async () => {
    const lost = createUpload(() => Promise.reject(new Error('connection lost')));
    await expect(lost).rejects.toThrow('connection lost');
    expect(await countOpenUploads()).toBe(1);
    await scanThreeTimes();
    await scans.scanOnce();
    expect([await countOpenUploads(), await countIntakes()]).toEqual([0, 0]);
  });

  it('is aborted at once if it was given up while its URLs were signed, and gets no job', async () => {
    vi.spyOn(files.store, 'presignPart').mockImplementation(async ({ key }: PresignPartOptions) => {
      await markAudioIntakeAbandoned(world.dataSource, parseJobIdFromKey(key) ?? '');
      return 'http://x/';
    });
    await expect(createUpload()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await countOpenUploads()).toBe(0);
    expect(await world.rows('SELECT FROM job')).toEqual([]);
  });
});
