import { buildUploadedAudioKey, getJob } from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { SingleUploadsService } from '../../apps/api/src/uploads/single-uploads.service.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const LIMIT = 1_000;
const DECLARED = 10;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => {
  world = await createJobWorld();
  files = await createThrowawayStore();
});
afterAll(async () => {
  await files?.close();
  await world?.close();
});

/** Stores so many bytes, as S3 does for a signed PUT of any size, and completes the upload. */
async function completeWith(bytes: number) {
  const id = await world.newJob({ enqueue: false });
  await world.rows('UPDATE job SET declared_size = $2 WHERE id = $1', id, DECLARED);
  await files.store.put(buildUploadedAudioKey(id), Buffer.alloc(bytes), 'application/octet-stream');
  const none = undefined as never;
  const uploads = new SingleUploadsService(
    world.dataSource,
    world.hooks,
    files.store,
    { send() {} } as never,
    ...([none, none, none, none] as const),
    { uploadBytes: LIMIT, deadlineSeconds: 60 } as ApiOptions,
  );
  const completion = uploads.completeUpload({ accountId: world.accountId, keyId: 'k' }, id);
  const result = await completion.catch((error: unknown) => error);
  const { status, failedStage, queued } = await getJob(world.dataSource, world.accountId, id);
  const stored = await files.store.head(buildUploadedAudioKey(id));
  return { result, status, failedStage, queued, storedBytes: stored?.size ?? null };
}

describe('the completion of a single upload', () => {
  it.each([DECLARED, LIMIT])('queues the job of %i stored bytes', async (bytes) => {
    expect(await completeWith(bytes)).toEqual({
      result: { status: 'queued' },
      status: 'processing',
      failedStage: null,
      queued: true,
      storedBytes: bytes,
    });
  });

  it('fails the job of a byte more than the upload takes, and deletes the bytes', async () => {
    expect(await completeWith(LIMIT + 1)).toEqual({
      result: expect.objectContaining({ code: 'upload_too_large', status: 400 }) as unknown,
      status: 'failed',
      failedStage: 'upload',
      queued: false,
      storedBytes: null,
    });
  });
});
