import { inTransaction } from '@app/database';
import { audioKeyOf, createJob, DEFAULT_OPTIONS } from '@app/jobs';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Orphans } from '../../apps/processor/src/upkeep/orphans.js';
import { type ThrowawayStore, throwawayStore } from '../support/file-store.js';
import { jobWorld, type World } from '../support/job-world.js';

const never = new AbortController().signal;

let world: World;
let files: ThrowawayStore;
let orphans: Orphans;

beforeAll(async () => {
  [world, files] = await Promise.all([jobWorld(), throwawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});
beforeEach(() => {
  orphans = new Orphans(world.dataSource, files.store, 0);
});

const putAudio = (jobId: string) => files.put(audioKeyOf(jobId));
const isThere = async (jobId: string) => (await files.store.head(audioKeyOf(jobId))) !== null;

describe('audio without a job', () => {
  it('is deleted at the second sight', async () => {
    const id = uuidv7();
    await putAudio(id);
    expect([await orphans.pass(never), await isThere(id)]).toEqual([0, true]);
    expect([await orphans.pass(never), await isThere(id)]).toEqual([1, false]);
  });

  it('stays when its job is written between', async () => {
    const id = uuidv7();
    await putAudio(id);
    await orphans.pass(never);
    const job = { id, accountId: world.accountId, source: 'stream', options: DEFAULT_OPTIONS } as const;
    const rest = { audioUrl: null, contentType: 'audio/wav', uploadSeconds: null, deadlineSeconds: 60 };
    await inTransaction(world.dataSource, (tx) => createJob(tx, { ...job, ...rest }));
    expect([await orphans.pass(never), await isThere(id)]).toEqual([0, true]);
  });

  it('is deleted when it comes after its job has ended and was cleaned', async () => {
    const id = await world.newJob();
    await putAudio(id);
    await world.dataSource.query('UPDATE job SET audio_deleted_at = now() WHERE id = $1', [id]);
    await orphans.pass(never);
    expect([await orphans.pass(never), await isThere(id)]).toEqual([1, false]);
  });

  it('that cannot be deleted keeps no other, and is tried again at the next sight', async () => {
    const ids = [uuidv7(), uuidv7(), uuidv7()];
    const [stuck = '', ...others] = ids;
    for (const id of ids) await putAudio(id);
    const really = files.store.delete.bind(files.store);
    const refusing = vi
      .spyOn(files.store, 'delete')
      .mockImplementation((key) =>
        key === audioKeyOf(stuck) ? Promise.reject(new Error('it is stuck')) : really(key),
      );
    onTestFinished(() => refusing.mockRestore());
    await orphans.pass(never);
    await expect(orphans.pass(never)).rejects.toThrow(`${audioKeyOf(stuck)}: it is stuck`);
    for (const id of others) expect(await isThere(id)).toBe(false);
    refusing.mockRestore();
    expect([await orphans.pass(never), await isThere(stuck)]).toEqual([1, false]);
  });

  it('leaves alone what jobs own, and what is no audio of a job', async () => {
    const id = await world.newJob();
    await putAudio(id);
    await files.store.put('audio/notes.txt', Buffer.from('x'), 'text/plain');
    await orphans.pass(never);
    await orphans.pass(never);
    expect(await isThere(id)).toBe(true);
    expect(await files.store.head('audio/notes.txt')).not.toBeNull();
  });
});
