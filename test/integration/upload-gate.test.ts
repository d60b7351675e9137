import { inTransaction } from '@app/database';
import { buildAudioKey, cancelJob, enqueueJob } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PendingUploadGuard } from '../../apps/api/src/storage/pending-upload-guard.js';
import { createJobWorld, type World } from '../support/job-world.js';

const REFUSED = { code: 'upload_closed' };

let world: World;
let gate: PendingUploadGuard;
beforeAll(async () => {
  world = await createJobWorld();
  gate = new PendingUploadGuard(world.dataSource);
});
afterAll(() => world.close());

const ends = {
  completed: (id: string) =>
    inTransaction(world.dataSource, (tx) =>
      enqueueJob(tx, id, { storedObject: { size: 1, etag: 'e' }, deadlineSeconds: 60 }),
    ),
  ended: (id: string) => inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id)),
};

/** A body of two pieces that counts how many were read. */
function body() {
  const state = { given: 0 };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (; state.given < 2; state.given += 1) yield Buffer.from('x');
  }
  return { state, pieces: pieces() };
}

describe('UploadGate', () => {
  it('the bytes of a pending upload pass', async () => {
    const { state, pieces } = body();
    let seen = 0;
    for await (const piece of gate.passBodyWhilePending(
      buildAudioKey(await world.newJob({ enqueue: false })),
      pieces,
    ))
      seen += piece.length;
    expect([seen, state.given]).toEqual([2, 2]);
  });

  it.each(['completed', 'ended'] as const)(
    'the bytes of an upload that was %s before are rejected without reading them',
    async (how) => {
      const id = await world.newJob({ enqueue: false });
      await ends[how](id);
      const { state, pieces } = body();
      await expect(gate.passBodyWhilePending(buildAudioKey(id), pieces).next()).rejects.toMatchObject(
        REFUSED,
      );
      expect(state.given).toBe(0);
    },
  );

  it.each(['completed', 'ended'] as const)(
    'the bytes of an upload that is %s meanwhile are rejected at their end',
    async (how) => {
      const id = await world.newJob({ enqueue: false });
      const guarded = gate.passBodyWhilePending(buildAudioKey(id), body().pieces);
      await guarded.next();
      await ends[how](id);
      await guarded.next();
      await expect(guarded.next()).rejects.toMatchObject(REFUSED);
    },
  );
});
