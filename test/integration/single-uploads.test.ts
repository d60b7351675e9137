import { buildUploadedAudioKey, DEFAULT_JOB_OPTIONS, getJob, JobSweeper } from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { SingleUploadsService } from '../../apps/api/src/uploads/single-uploads.service.js';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const DECLARED = 10;
const LIMITS = { uploadBytes: 1_000, uploadSeconds: 3_600, deadlineSeconds: 60 } as ApiOptions;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
let uploads: SingleUploadsService;
let caller: { accountId: string; keyId: string };
beforeAll(async () => {
  world = await createJobWorld();
  files = await createThrowawayStore();
  uploads = new SingleUploadsService(
    world.dataSource,
    world.hooks,
    files.store,
    { send() {} } as never,
    { forPendingJob: () => 'http://x/' } as never,
    { toValidatedRequest: async () => ({ options: DEFAULT_JOB_OPTIONS, metadata: null }) } as never,
    { assertCreditOrRecharge: async () => undefined } as never,
    { admit: (_account: string, _amounts: object, create: () => unknown) => create() } as never,
    LIMITS,
  );
});
beforeEach(async () => void (caller = { accountId: await world.newAccount(), keyId: 'k' }));
afterAll(async () => {
  await files?.close();
  await world?.close();
});

const createUpload = async () => (await uploads.createUpload(caller, { file_size: DECLARED })).job_id;
/** As S3, which takes any number of bytes with a signed URL. */
const store = (id: string, bytes: number) =>
  files.store.put(buildUploadedAudioKey(id), Buffer.alloc(bytes), 'application/octet-stream');

describe('the completion of a single upload', () => {
  async function completeWith(bytes: number) {
    const id = await createUpload();
    await store(id, bytes);
    const result = await uploads.completeUpload(caller, id).catch((error: unknown) => error);
    const { status, failedStage, queued } = await getJob(world.dataSource, caller.accountId, id);
    const stored = await files.store.head(buildUploadedAudioKey(id));
    return { result, status, failedStage, queued, storedBytes: stored?.size ?? null };
  }

  it.each([DECLARED, LIMITS.uploadBytes])('queues the job of %i stored bytes', async (bytes) => {
    expect(await completeWith(bytes)).toEqual({
      result: { status: 'queued' },
      status: 'processing',
      failedStage: null,
      queued: true,
      storedBytes: bytes,
    });
  });

  it('fails the job of a byte more than the upload takes, and deletes the bytes', async () => {
    expect(await completeWith(LIMITS.uploadBytes + 1)).toEqual({
      result: expect.objectContaining({ code: 'upload_too_large', status: 400 }) as unknown,
      status: 'failed',
      failedStage: 'upload',
      queued: false,
      storedBytes: null,
    });
  });
});

describe('a single upload without a call of progress', () => {
  const sweepAfter = async (id: string, seconds: number) => {
    await world.rows(
      `UPDATE job SET created_at = created_at - make_interval(secs => $2),
         upload_expires_at = upload_expires_at - make_interval(secs => $2) WHERE id = $1`,
      id,
      seconds,
    );
    const options = { redeliverSeconds: 30, leaseSeconds: 10 };
    await new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, options).sweep();
  };

  it('is open as long as its URL, and can be completed then', async () => {
    const id = await createUpload();
    // Less by what the test itself may take.
    await sweepAfter(id, LIMITS.uploadSeconds - 60);
    await store(id, DECLARED);
    expect(await uploads.completeUpload(caller, id)).toEqual({ status: 'queued' });
  });

  it('fails soon after its URL has expired', async () => {
    const id = await createUpload();
    await sweepAfter(id, LIMITS.uploadSeconds + 10);
    expect(await uploads.completeUpload(caller, id)).toEqual({ status: 'failed' });
  });
});
