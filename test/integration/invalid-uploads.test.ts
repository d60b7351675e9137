import { getJob } from '@app/jobs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failPendingUploadAndThrow } from '../../apps/api/src/uploads/fail-pending-upload.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeEach(async () => void (world = await createJobWorld()));
afterEach(() => world.close());

async function failUpload(id: string) {
  const deleteObject = vi.fn(async () => undefined);
  const { dataSource, hooks } = world;
  const store = { delete: deleteObject } as never;
  const failing = failPendingUploadAndThrow(
    { dataSource, hooks, store },
    { id, audioKey: 'a' },
    'upload_too_large',
    'Too long.',
  );
  const error: unknown = await failing.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, deleteObject, status: (await getJob(dataSource, world.accountId, id)).status };
}

describe('a completion that finds unusable audio', () => {
  it('fails the job that waits for its upload, and deletes the audio', async () => {
    const { error, deleteObject, status } = await failUpload(await world.newJob({ enqueue: false }));
    expect(error).toMatchObject({ code: 'upload_too_large' });
    expect(status).toBe('failed');
    expect(deleteObject).toHaveBeenCalledOnce();
  });

  it('does not end a job that another completion has queued meanwhile', async () => {
    const { error, deleteObject, status } = await failUpload(await world.newJob());
    expect(error).toBeNull();
    expect(status).toBe('processing');
    expect(deleteObject).not.toHaveBeenCalled();
  });
});
