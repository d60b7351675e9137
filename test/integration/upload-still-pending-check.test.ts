import { inTransaction } from '@app/database';
import { buildUploadedAudioKey, cancelJob, enqueueJob } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadStillPendingCheck } from '../../apps/api/src/objects/upload-still-pending-check.js';
import { createJobWorld, type World } from '../support/job-world.js';

const UPLOAD_CLOSED = { code: 'upload_closed' };

let world: World;
let check: UploadStillPendingCheck;
beforeAll(async () => {
  world = await createJobWorld();
  check = new UploadStillPendingCheck(world.dataSource);
});
afterAll(() => world.close());

const endings = {
  completed: (id: string) =>
    inTransaction(world.dataSource, (tx) =>
      enqueueJob(tx, id, { storedObject: { size: 1, etag: 'e' }, deadlineSeconds: 60 }),
    ),
  ended: (id: string) => inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id)),
};

/** A body of two pieces that counts how many were read. */
function createBody() {
  const state = { yielded: 0 };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (; state.yielded < 2; state.yielded += 1) yield Buffer.from('x');
  }
  return { state, pieces: pieces() };
}

describe('UploadStillPendingCheck', () => {
  it('the bytes of a pending upload pass', async () => {
    const { state, pieces } = createBody();
    let receivedBytes = 0;
    for await (const piece of check.passBodyWhilePending(
      buildUploadedAudioKey(await world.newJob({ enqueue: false })),
      pieces,
    ))
      receivedBytes += piece.length;
    expect([receivedBytes, state.yielded]).toEqual([2, 2]);
  });

  it.each(['completed', 'ended'] as const)(
    'the bytes of an upload that was %s before are rejected without reading them',
    async (ending) => {
      const id = await world.newJob({ enqueue: false });
      await endings[ending](id);
      const { state, pieces } = createBody();
      await expect(
        check.passBodyWhilePending(buildUploadedAudioKey(id), pieces).next(),
      ).rejects.toMatchObject(UPLOAD_CLOSED);
      expect(state.yielded).toBe(0);
    },
  );

  it.each(['completed', 'ended'] as const)(
    'the bytes of an upload that is %s meanwhile are rejected at their end',
    async (ending) => {
      const id = await world.newJob({ enqueue: false });
      const guarded = check.passBodyWhilePending(buildUploadedAudioKey(id), createBody().pieces);
      await guarded.next();
      await endings[ending](id);
      await guarded.next();
      await expect(guarded.next()).rejects.toMatchObject(UPLOAD_CLOSED);
    },
  );
});
