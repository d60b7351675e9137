import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildTranscriptDocumentKey,
  endJob,
  getJob,
  type OutboxRelay,
  buildRenderedTranscriptKey,
} from '@app/jobs';
import { StoreMismatchError } from '@app/installation';
import type { FileObjectStore, ObjectInfo } from '@app/storage';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createExpiredTranscriptDeletionRunner } from '../../apps/processor/src/maintenance/transcript-deletion.js';
import { AudioAndIntermediateObjectDeletion } from '../../apps/processor/src/maintenance/audio-and-intermediate-object-deletion.js';
import { OrphanMetrics } from '../../apps/processor/src/maintenance/orphan-metrics.js';
import { MaintenanceService } from '../../apps/processor/src/maintenance/maintenance.service.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createStoreScans } from '../support/store-scans.js';

const neverAborted = new AbortController().signal;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
});
afterEach(() => files.close());

/** Creates a completed job with its transcript, a rendering, and the objects of an earlier attempt. */
async function createCompletedJob(accountId = world.accountId): Promise<string> {
  const id = await world.newJob({ of: accountId });
  for (const fence of [1, 2]) {
    await files.putBytes(buildTranscriptDocumentKey(id, fence));
    await files.putBytes(buildRenderedTranscriptKey(id, fence, 'txt'));
  }
  const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(id, 2, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  return id;
}

const markAudioDeleted = (id: string) =>
  world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', id);
const setRetention = (accountId: string, days: number) =>
  world.rows('UPDATE account SET transcript_retention_days = $2 WHERE id = $1', accountId, days);
const setAge = (id: string, days: number) =>
  world.rows('UPDATE job SET finished_at = now() - make_interval(days => $2) WHERE id = $1', id, days);

function startMaintenance(verify = () => Promise.resolve(), registry = new Registry()): MaintenanceService {
  const options = { sweepSeconds: 1, storeScanSeconds: 1, unneededAudioSeconds: 1, leaseSeconds: 10 };
  const orphans = { orphanRetentionDays: 7, orphanDelaySeconds: 0 };
  const processorOptions = {
    ...options,
    ...orphans,
    redeliverSeconds: 30,
    bodyIdleSeconds: 30,
    transcriptDays: 0,
    jobDays: 0,
    jobDetailDays: 7,
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
    new OrphanMetrics(registry),
    null,
    null,
    { counts: async () => ({ waiting: 0, active: 0 }) },
  );
  maintenance.start();
  return maintenance;
}

describe('createExpiredTranscriptDeletionRunner', () => {
  it('transcripts are deleted after the retention period, and their jobs stay completed', async () => {
    const [old, young] = [await createCompletedJob(), await createCompletedJob()];
    await setAge(old, 8);
    await setAge(young, 6);
    expect(
      await createExpiredTranscriptDeletionRunner(world.dataSource, files.store, 7).runBatch(neverAborted),
    ).toBe(false);
    expect(await files.listKeys(`transcripts/${old}/`)).toEqual([]);
    expect(await files.listKeys(`transcripts/${young}/`)).toHaveLength(4);
    expect(await getJob(world.dataSource, world.accountId, old)).toMatchObject({
      status: 'completed',
      resultKey: null,
    });
    expect((await getJob(world.dataSource, world.accountId, young)).resultKey).not.toBeNull();
  });

  it.each([
    { service: 0, deleted: ['8 days, of 7'] },
    { service: 30, deleted: ['8 days, of 7', '31 days, of 90', '31 days, without'] },
  ])(
    'the shorter period of account and service counts, with $service days of the service',
    async ({ service, deleted }) => {
      const [short, long] = [await world.newAccount(), await world.newAccount()];
      await setRetention(short, 7);
      await setRetention(long, 90);
      const jobs = [
        ['6 days, of 7', short, 6],
        ['8 days, of 7', short, 8],
        ['29 days, of 90', long, 29],
        ['31 days, of 90', long, 31],
        ['31 days, without', world.accountId, 31],
      ] as const;
      const names = new Map<string, string>();
      for (const [name, accountId, age] of jobs) {
        const id = await createCompletedJob(accountId);
        names.set(id, name);
        await setAge(id, age);
      }
      // Each batch has less than is due, so that the order across accounts counts.
      const deletion = createExpiredTranscriptDeletionRunner(world.dataSource, files.store, service, 1);
      while (await deletion.runBatch(neverAborted));
      const gone = await world.rows<{ id: string }>('SELECT id FROM job WHERE result_key IS NULL');
      expect(new Set(gone.map(({ id }) => names.get(id)))).toEqual(new Set(deleted));
      for (const [id, name] of names)
        expect(await files.listKeys(`transcripts/${id}/`), name).toHaveLength(deleted.includes(name) ? 0 : 4);
    },
  );

  it('a processor applies the periods of accounts without one of the service', async () => {
    const [old, kept] = [await createCompletedJob(), await createCompletedJob(await world.newAccount())];
    await Promise.all([setAge(old, 2), setAge(kept, 2), setRetention(world.accountId, 1)]);
    const maintenance = startMaintenance();
    await expect.poll(() => files.listKeys(`transcripts/${old}/`)).toEqual([]);
    await maintenance.stop();
    expect(await files.listKeys(`transcripts/${kept}/`)).not.toEqual([]);
  });

  it('an interrupted deletion is finished by the next batch', async () => {
    const id = await createCompletedJob();
    await setAge(id, 8);
    const { deletePrefix } = files.store;
    files.store.deletePrefix = async (prefix) => {
      await deletePrefix.call(files.store, prefix);
      throw new Error('the process ended here');
    };
    await expect(
      createExpiredTranscriptDeletionRunner(world.dataSource, files.store, 7).runBatch(neverAborted),
    ).rejects.toThrow('ended here');
    expect((await getJob(world.dataSource, world.accountId, id)).resultKey).not.toBeNull();
    files.store.deletePrefix = deletePrefix;
    await createExpiredTranscriptDeletionRunner(world.dataSource, files.store, 7).runBatch(neverAborted);
    expect((await getJob(world.dataSource, world.accountId, id)).resultKey).toBeNull();
  });
});

describe('a transcript that cannot be deleted', () => {
  it('the failing deletion does not block transcripts of the same age', async () => {
    const ids = [await createCompletedJob(), await createCompletedJob(), await createCompletedJob()];
    await world.rows(`UPDATE job SET finished_at = '2020-01-01T00:00:00.123456Z'`);
    const [undeletable = '', ...others] = ids.toSorted();
    const { deletePrefix } = files.store;
    files.store.deletePrefix = (prefix) =>
      prefix.includes(undeletable)
        ? Promise.reject(new Error('it cannot be deleted'))
        : deletePrefix.call(files.store, prefix);
    const deletion = createExpiredTranscriptDeletionRunner(world.dataSource, files.store, 7, 1);
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('it cannot be deleted');
    expect([
      await deletion.runBatch(neverAborted),
      await deletion.runBatch(neverAborted),
      await deletion.runBatch(neverAborted),
    ]).toEqual([...others.map(() => true), false]);
    const remaining = await world.rows('SELECT id FROM job WHERE result_key IS NOT NULL');
    expect(remaining).toEqual([{ id: undeletable }]);
    await expect(deletion.runBatch(neverAborted)).rejects.toThrow('it cannot be deleted');
  });
});

describe('the maintenance of a processor', () => {
  it('a failing step does not prevent the other steps of the same round', async () => {
    const id = await createCompletedJob();
    await markAudioDeleted(id);
    await files.putBytes(buildChunkKey(id, 1, { chunking: 1, index: 0 }));
    files.store.deleteStaleTemporaryFiles = () => Promise.reject(new Error('it cannot be deleted'));
    const maintenance = startMaintenance();
    await expect.poll(() => files.listKeys('work/')).toEqual([]);
    await maintenance.stop();
  });

  it('no object is deleted when the store belongs to another installation', async () => {
    const id = await createCompletedJob();
    await markAudioDeleted(id);
    await files.putBytes(buildChunkKey(id, 1, { chunking: 1, index: 0 }));
    let calls = 0;
    const maintenance = startMaintenance(() => {
      calls += 1;
      return Promise.reject(new StoreMismatchError('other_installation', 'It is of another.'));
    });
    await expect.poll(() => calls).toBeGreaterThan(2);
    await maintenance.stop();
    expect(await files.listKeys('work/')).toEqual([buildChunkKey(id, 1, { chunking: 1, index: 0 })]);
  });
});

describe('the gauges of orphans', () => {
  it('are exported by the processor that leads, and no longer when another one has taken over', async () => {
    const registry = new Registry();
    const readGauges = async () =>
      (await registry.metrics()).match(/^zephyr_store_orphans(_held)?\{.*/gm) ?? [];
    const maintenance = startMaintenance(undefined, registry);
    await expect.poll(readGauges).toContain('zephyr_store_orphans_held{scope="work/"} 0');
    await world.rows(
      `UPDATE maintenance_lease SET holder = gen_random_uuid(), lease_until = 'infinity' WHERE name = 'maintenance'`,
    );
    await expect.poll(readGauges).toEqual([]);
    await maintenance.stop();
  });
});

describe('store scans during shutdown', () => {
  it('the scans of a large store do not delay the shutdown', async () => {
    let scans = 0;
    async function* listEndlessly(_: string, stop?: AbortSignal): AsyncGenerator<ObjectInfo> {
      for (scans += 1; ; await new Promise(setImmediate)) {
        stop?.throwIfAborted();
        yield { key: 'notes', size: 1, etag: 'e', contentType: 'a/b', modifiedAt: new Date() };
      }
    }
    files.store.list = listEndlessly;
    const maintenance = startMaintenance();
    await expect.poll(() => scans).toBe(2);
    await maintenance.stop();
  });

  it('the scans stop without deleting anything', async () => {
    const { dataSource } = world;
    const { store } = files;
    await setAge(await createCompletedJob(), 8);
    await files.putBytes(buildChunkKey(uuidv7(), 1, { chunking: 1, index: 0 }));
    await files.putBytes(buildUploadedAudioKey(uuidv7()));
    await store.createMultipart(buildUploadedAudioKey(uuidv7()), 'audio/wav');
    const before = await files.listKeys('work/', 'audio/', 'transcripts/');
    const stop = AbortSignal.abort(new RangeError('stopped'));
    const scans = [
      createStoreScans(world, files).scanOnce(stop),
      createExpiredTranscriptDeletionRunner(dataSource, store, 7).runBatch(stop),
      new AudioAndIntermediateObjectDeletion(dataSource, store, { graceSeconds: 0 }).runBatch(stop),
    ];
    const ends = await Promise.allSettled(scans);
    expect(ends).toEqual(scans.map(() => ({ status: 'rejected', reason: stop.reason as unknown })));
    expect(await files.listKeys('work/', 'audio/', 'transcripts/')).toEqual(before);
  });
});
