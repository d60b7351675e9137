import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildDocumentKey,
  finishJob,
  getJob,
  type OutboxRelay,
  buildRenderingKey,
} from '@app/jobs';
import { StoreMismatchError } from '@app/installation';
import type { FileObjectStore, ObjectInfo } from '@app/storage';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createAudioDeletion,
  createTranscriptDeletion,
} from '../../apps/processor/src/maintenance/job-object-deletion.js';
import { MaintenanceService } from '../../apps/processor/src/maintenance/maintenance.service.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createStoreSweeps } from '../support/store-sweeps.js';

const neverAborted = new AbortController().signal;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeEach(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterEach(async () => {
  await files.close();
  await world.close();
});

/** Creates a completed job with its transcript, a rendering, and the objects of an earlier attempt. */
async function completed(): Promise<string> {
  const id = await world.newJob();
  for (const fence of [1, 2]) {
    await files.put(buildDocumentKey(id, fence));
    await files.put(buildRenderingKey(id, fence, 'txt'));
  }
  const outcome = { status: 'completed', resultKey: buildRenderingKey(id, 2, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => finishJob(tx, world.hooks, id, outcome));
  return id;
}

const cleaned = (id: string) => world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', id);
const aged = (id: string, days: number) =>
  world.rows('UPDATE job SET finished_at = now() - make_interval(days => $2) WHERE id = $1', id, days);

function startMaintenance(verify = () => Promise.resolve()): MaintenanceService {
  const options = { sweepSeconds: 1, orphanSweepSeconds: 1, orphanAgeSeconds: 1, leaseSeconds: 10 };
  const orphans = { orphanRetentionDays: 7, orphanDelaySeconds: 0 };
  const processorOptions = {
    ...options,
    ...orphans,
    redeliverSeconds: 30,
    bodyIdleSeconds: 30,
    transcriptDays: 0,
  };
  const none = () => undefined;
  const relay = { wake: () => undefined } as OutboxRelay;
  const workFolder = { cleanUp: () => Promise.resolve() };
  const maintenance = new MaintenanceService(
    world.dataSource,
    world.hooks,
    files.store,
    relay,
    processorOptions as ProcessorOptions,
    workFolder,
    { recordLeaseLost: none },
    { verify, advance: () => Promise.resolve() },
    { setObserved: none, setHeld: none, addDeleted: none },
    null,
  );
  maintenance.start();
  return maintenance;
}

describe('createTranscriptDeletion', () => {
  it('transcripts are deleted after the retention period, and their jobs stay completed', async () => {
    const [old, young] = [await completed(), await completed()];
    await aged(old, 8);
    await aged(young, 6);
    expect(await createTranscriptDeletion(world.dataSource, files.store, 7).runBatch(neverAborted)).toBe(
      false,
    );
    expect(await files.keys(`transcripts/${old}/`)).toEqual([]);
    expect(await files.keys(`transcripts/${young}/`)).toHaveLength(4);
    expect(await getJob(world.dataSource, world.accountId, old)).toMatchObject({
      status: 'completed',
      resultKey: null,
    });
    expect((await getJob(world.dataSource, world.accountId, young)).resultKey).not.toBeNull();
  });

  it('an interrupted deletion is finished by the next batch', async () => {
    const id = await completed();
    await aged(id, 8);
    const { deletePrefix } = files.store;
    files.store.deletePrefix = async (prefix) => {
      await deletePrefix.call(files.store, prefix);
      throw new Error('the process ended here');
    };
    await expect(
      createTranscriptDeletion(world.dataSource, files.store, 7).runBatch(neverAborted),
    ).rejects.toThrow('ended here');
    expect((await getJob(world.dataSource, world.accountId, id)).resultKey).not.toBeNull();
    files.store.deletePrefix = deletePrefix;
    await createTranscriptDeletion(world.dataSource, files.store, 7).runBatch(neverAborted);
    expect((await getJob(world.dataSource, world.accountId, id)).resultKey).toBeNull();
  });
});

describe('a transcript that cannot be deleted', () => {
  it('the failing deletion does not block transcripts of the same age', async () => {
    const ids = [await completed(), await completed(), await completed()];
    await world.rows(`UPDATE job SET finished_at = '2020-01-01T00:00:00.123456Z'`);
    const [undeletable = '', ...others] = ids.toSorted();
    const { deletePrefix } = files.store;
    files.store.deletePrefix = (prefix) =>
      prefix.includes(undeletable)
        ? Promise.reject(new Error('it is stuck'))
        : deletePrefix.call(files.store, prefix);
    const deletion = createTranscriptDeletion(world.dataSource, files.store, 7, 1);
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('it is stuck');
    expect([
      await deletion.runBatch(neverAborted),
      await deletion.runBatch(neverAborted),
      await deletion.runBatch(neverAborted),
    ]).toEqual([...others.map(() => true), false]);
    const remaining = await world.rows('SELECT id FROM job WHERE result_key IS NOT NULL');
    expect(remaining).toEqual([{ id: undeletable }]);
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('it is stuck');
  });
});

describe('the maintenance of a processor', () => {
  it('a failing step does not prevent the other steps of the same round', async () => {
    const id = await completed();
    await cleaned(id);
    await files.put(buildChunkKey(id, 1, 0));
    files.store.sweep = () => Promise.reject(new Error('it is stuck'));
    const maintenance = startMaintenance();
    await expect.poll(() => files.keys('work/')).toEqual([]);
    await maintenance.stop();
  });

  it('no object is deleted when the store belongs to another installation', async () => {
    const id = await completed();
    await cleaned(id);
    await files.put(buildChunkKey(id, 1, 0));
    let calls = 0;
    const maintenance = startMaintenance(() => {
      calls += 1;
      return Promise.reject(new StoreMismatchError('other_installation', 'It is of another.'));
    });
    await expect.poll(() => calls).toBeGreaterThan(2);
    await maintenance.stop();
    expect(await files.keys('work/')).toEqual([buildChunkKey(id, 1, 0)]);
  });
});

describe('store scans during shutdown', () => {
  it('the scans of a large store do not delay the shutdown', async () => {
    let walks = 0;
    async function* withoutEnd(_: string, stop?: AbortSignal): AsyncGenerator<ObjectInfo> {
      for (walks += 1; ; await new Promise(setImmediate)) {
        stop?.throwIfAborted();
        yield { key: 'notes', size: 1, etag: 'e', contentType: 'a/b', modifiedAt: new Date() };
      }
    }
    files.store.list = withoutEnd;
    const maintenance = startMaintenance();
    await expect.poll(() => walks).toBe(2);
    await maintenance.stop();
  });

  it('the scans stop without deleting anything', async () => {
    const { dataSource } = world;
    const { store } = files;
    await aged(await completed(), 8);
    await files.put(buildChunkKey(uuidv7(), 1, 0));
    await files.put(buildUploadedAudioKey(uuidv7()));
    await store.createMultipart(buildUploadedAudioKey(uuidv7()), 'audio/wav');
    const before = await files.keys('work/', 'audio/', 'transcripts/');
    const stop = AbortSignal.abort(new RangeError('stopped'));
    const walks = [
      createStoreSweeps(world, files).sweepOnce(stop),
      createTranscriptDeletion(dataSource, store, 7).runBatch(stop),
      createAudioDeletion(dataSource, store, 0).runBatch(stop),
    ];
    const ends = await Promise.allSettled(walks);
    expect(ends).toEqual(walks.map(() => ({ status: 'rejected', reason: stop.reason as unknown })));
    expect(await files.keys('work/', 'audio/', 'transcripts/')).toEqual(before);
  });
});

describe('the temporary file of a killed process', () => {
  it('the file is deleted when it is idle, and files that are being written stay', async () => {
    let under: () => void = () => undefined;
    const more = new Promise<void>((resolve) => (under = resolve));
    const writing = files.store.putStream('audio/x', slow(more), 'audio/wav');
    expect(await files.store.sweep(40)).toBe(0);
    under();
    await writing;
    expect(await files.store.head('audio/x')).toMatchObject({ size: 2 });
    const interruptedPut = files.store.putStream('audio/y', slow(new Promise(() => undefined)), 'audio/wav');
    interruptedPut.catch(() => undefined);
    await expect.poll(() => files.store.sweep(-1)).toBe(1);
    expect(await files.store.sweep(-1)).toBe(0);
  });
});

async function* slow(more: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  await more;
  yield Buffer.from('b');
}
