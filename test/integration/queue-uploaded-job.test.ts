import { markJobQueuedAndInsertFirstStage } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const STORED = { size: 7, etag: 'e' };

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

async function createUpload(column = 'declared_size', value: unknown = STORED.size): Promise<string> {
  const id = await world.newJob({ enqueue: false });
  await world.rows('UPDATE job SET declared_size = $2 WHERE id = $1', id, STORED.size);
  await world.rows(`UPDATE job SET ${column} = $2 WHERE id = $1`, id, value);
  return id;
}

const queue = (id: string, ifUploadedBy = world.accountId) =>
  markJobQueuedAndInsertFirstStage(world.dataSource.manager, id, {
    deadlineSeconds: 60,
    storedObject: STORED,
    ifUploadedBy,
  });
const isQueued = (id: string) =>
  world.row('SELECT queued_at IS NOT NULL AS queued FROM job WHERE id = $1', id);

describe('an upload that is completed by one statement', () => {
  it('is queued once', async () => {
    const id = await createUpload();
    expect(await queue(id)).toMatchObject({ queue: 'preprocess', payload: { jobId: id } });
    expect(await isQueued(id)).toEqual({ queued: true });
    expect(await queue(id)).toBeUndefined();
  });

  it('is not queued for another account', async () => {
    const id = await createUpload();
    expect(await queue(id, await world.newAccount())).toBeUndefined();
    expect(await isQueued(id)).toEqual({ queued: false });
  });

  it.each([
    ['the stored size is not the declared one', 'declared_size', STORED.size + 1],
    ['no size was declared', 'declared_size', null],
    ['it is an upload in parts', 'source', 'multipart'],
    ['it was aborted', 'status', 'failed'],
  ])('is not queued if %s', async (_, column, value) => {
    const id = await createUpload(column, value);
    expect(await queue(id)).toBeUndefined();
    expect(await isQueued(id)).toEqual({ queued: false });
  });
});
