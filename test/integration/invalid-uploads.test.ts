import { getJob } from '@app/jobs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failJobAndDeleteUploadUnlessQueued } from '../../apps/api/src/uploads/fail-job-and-delete-upload.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeEach(async () => void (world = await createJobWorld()));
afterEach(() => world.close());

async function failUpload(id: string) {
  const deleteObject = vi.fn(async () => undefined);
  const { dataSource, hooks } = world;
  const store = { delete: deleteObject } as never;
  const isFailed = await failJobAndDeleteUploadUnlessQueued(
    { dataSource, hooks, store },
    { id, audioKey: 'a' },
    'Too long.',
  );
  const { status, reason } = await getJob(dataSource, world.accountId, id);
  return { isFailed, deleteObject, status, reason };
}

describe('a completion that finds unusable audio', () => {
  it('fails the job that waits for its upload, and deletes the audio', async () => {
    const job = await failUpload(await world.newJob({ enqueue: false }));
    expect(job).toMatchObject({ isFailed: true, status: 'failed', reason: 'Too long.' });
    expect(job.deleteObject).toHaveBeenCalledOnce();
  });

  it('does not end a job that another completion has queued meanwhile', async () => {
    const job = await failUpload(await world.newJob());
    expect(job).toMatchObject({ isFailed: false, status: 'processing' });
    expect(job.deleteObject).not.toHaveBeenCalled();
  });
});
