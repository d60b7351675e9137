import { inTransaction } from '@app/database';
import { audioKeyOf, chunkKey, documentKey, finishJob, findJob, type Relay, renderingKey } from '@app/jobs';
import type { ObjectInfo } from '@app/storage';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audioDeletion } from '../../apps/processor/src/upkeep/delete-audio.js';
import { transcriptDeletion } from '../../apps/processor/src/upkeep/delete-transcripts.js';
import { OrphanUploads } from '../../apps/processor/src/upkeep/orphan-uploads.js';
import { Orphans } from '../../apps/processor/src/upkeep/orphans.js';
import { deleteStrays } from '../../apps/processor/src/upkeep/stray-objects.js';
import { Upkeep } from '../../apps/processor/src/upkeep/upkeep.service.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { type ThrowawayStore, throwawayStore } from '../support/file-store.js';
import { jobWorld, type World } from '../support/job-world.js';

const never = new AbortController().signal;

let world: World;
let files: ThrowawayStore;
beforeEach(async () => {
  [world, files] = await Promise.all([jobWorld(), throwawayStore()]);
});
afterEach(async () => {
  await files.close();
  await world.close();
});

/** A completed job with its transcript, a rendering of it, and what an earlier try stored. */
async function completed(): Promise<string> {
  const id = await world.newJob();
  for (const fence of [1, 2]) {
    await files.put(documentKey(id, fence));
    await files.put(renderingKey(id, fence, 'txt'));
  }
  const outcome = { status: 'completed', resultKey: renderingKey(id, 2, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => finishJob(tx, world.effects, id, outcome));
  return id;
}

const cleaned = (id: string) => world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', id);
const aged = (id: string, days: number) =>
  world.rows('UPDATE job SET finished_at = now() - make_interval(days => $2) WHERE id = $1', id, days);

function startUpkeep(): Upkeep {
  const options = { sweepSeconds: 1, orphanSweepSeconds: 1, orphanAgeSeconds: 1, leaseSeconds: 10 };
  const given = { ...options, redeliverSeconds: 30, bodyIdleSeconds: 30, transcriptDays: 0 };
  const relay = { nudge: () => undefined } as Relay;
  const place = { tidy: () => Promise.resolve() };
  const upkeep = new Upkeep(
    world.dataSource,
    world.effects,
    files.store,
    relay,
    given as ProcessorOptions,
    place,
  );
  upkeep.onApplicationBootstrap();
  return upkeep;
}

describe('transcripts that are kept for a time', () => {
  it('are deleted after it; the job stays completed', async () => {
    const [old, young] = [await completed(), await completed()];
    await aged(old, 8);
    await aged(young, 6);
    expect(await transcriptDeletion(world.dataSource, files.store, 7).pass(never)).toBe(false);
    expect(await files.keys(`transcripts/${old}/`)).toEqual([]);
    expect(await files.keys(`transcripts/${young}/`)).toHaveLength(4);
    expect(await findJob(world.dataSource, world.accountId, old)).toMatchObject({
      status: 'completed',
      resultKey: null,
    });
    expect((await findJob(world.dataSource, world.accountId, young)).resultKey).not.toBeNull();
  });

  it('one whose deletion was cut off is deleted by the next pass', async () => {
    const id = await completed();
    await aged(id, 8);
    const { deletePrefix } = files.store;
    files.store.deletePrefix = async (prefix) => {
      await deletePrefix.call(files.store, prefix);
      throw new Error('the process ended here');
    };
    await expect(transcriptDeletion(world.dataSource, files.store, 7).pass(never)).rejects.toThrow(
      'ended here',
    );
    expect((await findJob(world.dataSource, world.accountId, id)).resultKey).not.toBeNull();
    files.store.deletePrefix = deletePrefix;
    await transcriptDeletion(world.dataSource, files.store, 7).pass(never);
    expect((await findJob(world.dataSource, world.accountId, id)).resultKey).toBeNull();
  });
});

describe('a transcript that cannot be deleted', () => {
  it('keeps those of no other job, however many are as old as it', async () => {
    const ids = [await completed(), await completed(), await completed()];
    await world.rows(`UPDATE job SET finished_at = '2020-01-01T00:00:00.123456Z'`);
    const [stubborn = '', ...others] = ids.toSorted();
    const { deletePrefix } = files.store;
    files.store.deletePrefix = (prefix) =>
      prefix.includes(stubborn)
        ? Promise.reject(new Error('it is stuck'))
        : deletePrefix.call(files.store, prefix);
    const deletion = transcriptDeletion(world.dataSource, files.store, 7, 1);
    await expect(deletion.pass(never)).rejects.toThrow('it is stuck');
    expect([await deletion.pass(never), await deletion.pass(never), await deletion.pass(never)]).toEqual([
      ...others.map(() => true),
      false,
    ]);
    const left = await world.rows('SELECT id FROM job WHERE result_key IS NOT NULL');
    expect(left).toEqual([{ id: stubborn }]);
    await expect(deletion.pass(never)).rejects.toThrow('it is stuck');
  });
});

describe('objects of stages that nobody asks for', () => {
  it('chunks that a frozen worker wrote after its job was cleaned are deleted, those of others stay', async () => {
    const [late, running, gone] = [await completed(), await world.newJob(), uuidv7()];
    await cleaned(late);
    for (const id of [late, running, gone]) await files.put(chunkKey(id, 1, 0));
    await files.put('work/notes/x');
    expect(await deleteStrays(world.dataSource, files.store, 'work', never)).toBe(2);
    expect(await files.keys('work/')).toEqual([chunkKey(running, 1, 0), 'work/notes/x'].toSorted());
  });

  it('one that cannot be deleted keeps no other', async () => {
    const keys = [chunkKey(uuidv7(), 1, 0), chunkKey(uuidv7(), 1, 0), chunkKey(uuidv7(), 1, 0)];
    for (const key of keys) await files.put(key);
    const [stuck = ''] = keys;
    const really = files.store.delete.bind(files.store);
    files.store.delete = (key) => (key === stuck ? Promise.reject(new Error('it is stuck')) : really(key));
    await expect(deleteStrays(world.dataSource, files.store, 'work', never)).rejects.toThrow(
      `${stuck}: it is stuck`,
    );
    expect(await files.keys('work/')).toEqual([stuck]);
  });

  it('are deleted although another step of the same pass fails', async () => {
    await files.put(chunkKey(uuidv7(), 1, 0));
    files.store.sweep = () => Promise.reject(new Error('it is stuck'));
    const upkeep = startUpkeep();
    await expect.poll(() => files.keys('work/')).toEqual([]);
    await upkeep.stop();
  });

  it('transcripts of other tries, and of jobs that failed or are gone, are deleted; the one that counts stays', async () => {
    const [id, running, failed] = [await completed(), await world.newJob(), await world.newJob()];
    const outcome = { status: 'failed', stage: 'cancelled', reason: 'x' } as const;
    await inTransaction(world.dataSource, (tx) => finishJob(tx, world.effects, failed, outcome));
    for (const each of [id, failed]) await cleaned(each);
    for (const each of [running, failed, uuidv7()]) await files.put(documentKey(each, 1));
    expect(await deleteStrays(world.dataSource, files.store, 'transcripts', never)).toBe(4);
    expect(await files.keys('transcripts/')).toEqual(
      [documentKey(id, 2), renderingKey(id, 2, 'txt'), documentKey(running, 1)].toSorted(),
    );
  });
});

describe('walks over the store in a process that is stopped', () => {
  it('do not hold up its end, however much there is', async () => {
    let walks = 0;
    async function* withoutEnd(_: string, stop?: AbortSignal): AsyncGenerator<ObjectInfo> {
      for (walks += 1; ; await new Promise(setImmediate)) {
        stop?.throwIfAborted();
        yield { key: 'notes', size: 1, etag: 'e', contentType: 'a/b', modifiedAt: new Date() };
      }
    }
    files.store.list = withoutEnd;
    const upkeep = startUpkeep();
    await expect.poll(() => walks).toBe(2);
    await upkeep.stop();
  });

  it('end with what they are looking at', async () => {
    const { dataSource } = world;
    const { store } = files;
    await aged(await completed(), 8);
    await files.put(chunkKey(uuidv7(), 1, 0));
    await files.put(audioKeyOf(uuidv7()));
    await store.createMultipart(audioKeyOf(uuidv7()), 'audio/wav');
    const before = await files.keys('work/', 'audio/', 'transcripts/');
    const stop = AbortSignal.abort(new RangeError('stopped'));
    const walks = [
      deleteStrays(dataSource, store, 'work', stop),
      new Orphans(dataSource, store, 0).pass(stop),
      new OrphanUploads(dataSource, store, { ageMs: 0, bytesPerSecond: Infinity }).pass(stop),
      transcriptDeletion(dataSource, store, 7).pass(stop),
      audioDeletion(dataSource, store, 0).pass(stop),
    ];
    const ends = await Promise.allSettled(walks);
    expect(ends).toEqual(walks.map(() => ({ status: 'rejected', reason: stop.reason as unknown })));
    expect(await files.keys('work/', 'audio/', 'transcripts/')).toEqual(before);
  });
});

describe('what was being written when a process was killed', () => {
  it('is removed once it is quiet, and nothing that is under way', async () => {
    let under: () => void = () => undefined;
    const more = new Promise<void>((resolve) => (under = resolve));
    const writing = files.store.putStream('audio/x', slow(more), 'audio/wav');
    expect(await files.store.sweep(40)).toBe(0);
    under();
    await writing;
    expect(await files.store.head('audio/x')).toMatchObject({ size: 2 });
    const cut = files.store.putStream('audio/y', slow(new Promise(() => undefined)), 'audio/wav');
    cut.catch(() => undefined);
    await expect.poll(() => files.store.sweep(-1)).toBe(1);
    expect(await files.store.sweep(-1)).toBe(0);
  });
});

async function* slow(more: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  await more;
  yield Buffer.from('b');
}
