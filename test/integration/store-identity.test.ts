import {
  acceptRestoredDatabase,
  adoptStoreWithNewId,
  incrementBothGenerations,
  claimOrVerifyStore,
  STORE_MARKER_KEY,
  compareStoreIdentities,
  findStoreMarker,
  StoreOwnershipService,
} from '@app/installation';
import { buildUploadedAudioKey, buildTranscriptPrefix } from '@app/jobs';
import { StoreUnavailableError } from '@app/storage';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import {
  createInstalledWorld,
  replaceInstallation,
  simulateRestoreOfOlderRows,
} from '../support/installations.js';
import type { World } from '../support/job-world.js';

let worlds: World[];
let stores: ThrowawayStore[];

beforeAll(async () => {
  worlds = await Promise.all([createInstalledWorld(), createInstalledWorld()]);
});
afterAll(async () => {
  for (const world of worlds) await world.close();
});
beforeEach(async () => {
  for (const world of worlds) await replaceInstallation(world);
  stores = await Promise.all([createThrowawayStore(), createThrowawayStore()]);
});
afterEach(async () => {
  for (const store of stores) await store.close();
});

const createCheck = (database = 0, store = 0) => {
  const [world, files] = [worlds[database], stores[store]];
  if (!world || !files) throw new Error('There are two worlds and two stores.');
  return { world, files, run: () => claimOrVerifyStore(world.dataSource, files.store) };
};
const buildTranscriptKey = (jobId: string) => `${buildTranscriptPrefix(jobId)}f1/transcript.json`;

describe('an object store without a marker', () => {
  it('concurrent programs of a new database claim the store once', async () => {
    const { world, files, run } = createCheck();
    const results = await Promise.all(Array.from({ length: 6 }, run));
    expect(new Set(results.map(({ row }) => row.storeId)).size).toBe(1);
    const { row } = await compareStoreIdentities(world.dataSource, files.store);
    expect(await findStoreMarker(files.store)).toEqual(row);
  });

  it('a store with objects of known jobs is claimed, as after an upgrade', async () => {
    const { world, files, run } = createCheck();
    const jobId = await world.newJob();
    for (const id of [jobId, uuidv7()]) await files.putBytes(buildTranscriptKey(id));
    expect((await run()).state).toBe('agreed');
  });

  it('a store with objects of unknown jobs is rejected', async () => {
    const { files, run } = createCheck();
    await files.putBytes(buildTranscriptKey(uuidv7()));
    await expect(run()).rejects.toMatchObject({
      reason: 'foreign_objects',
      message: expect.stringMatching(/DATABASE_URL and DATA_DIR.*store adopt --yes/),
    });
    expect(await findStoreMarker(files.store)).toBeNull();
  });

  it('a store with only objects of other software is claimed', async () => {
    const { files, run } = createCheck();
    for (const key of ['backups/notes.txt', 'audio/notes.txt']) await files.putBytes(key);
    expect((await run()).state).toBe('agreed');
  });

  it('an empty store is rejected by a database that belongs to another store', async () => {
    await createCheck(0, 0).run();
    await expect(createCheck(0, 1).run()).rejects.toMatchObject({ reason: 'unmarked_store' });
    expect(await findStoreMarker(createCheck(0, 1).files.store)).toBeNull();
  });
});

describe('an object store with a marker', () => {
  it('the store is rejected by another database, and the message names both ids', async () => {
    const { row } = await createCheck(0, 0).run();
    const other = createCheck(1, 0);
    const { row: otherRow } = await compareStoreIdentities(other.world.dataSource, other.files.store);
    await expect(other.run()).rejects.toMatchObject({
      reason: 'other_installation',
      message: expect.stringMatching(new RegExp(`${otherRow.installationId}.*${row.installationId}`)),
    });
    await createCheck(1, 1).run();
    await expect(other.run()).rejects.toMatchObject({ reason: 'other_installation' });
  });

  it('the store is recognized by a database whose claim was interrupted', async () => {
    const { world, run } = createCheck();
    const { row } = await run();
    await world.rows('UPDATE installation SET store_id = NULL');
    expect((await run()).row.storeId).toBe(row.storeId);
  });

  it('a store with an unreadable marker is rejected', async () => {
    const { files, run } = createCheck();
    await files.putBytes(STORE_MARKER_KEY);
    await expect(run()).rejects.toMatchObject({ reason: 'unreadable_marker' });
  });
});

describe('the generation of database and store', () => {
  it('the generation grows on both sides and never falls in the store, however many programs advance it', async () => {
    const { world, files, run } = createCheck();
    await run();
    await Promise.all(
      Array.from({ length: 5 }, () => incrementBothGenerations(world.dataSource, files.store)),
    );
    const { row, marker } = await compareStoreIdentities(world.dataSource, files.store);
    expect([row.generation, marker?.generation]).toEqual([5, 5]);
  });

  it('an advance while another program reads both sides does not look like a restored database', async () => {
    const { world, files, run } = createCheck();
    await run();
    const advance = () => incrementBothGenerations(world.dataSource, files.store);
    for (const order of ['before', 'after'] as const) {
      const read = files.store.get.bind(files.store);
      const get = vi.spyOn(files.store, 'get').mockImplementationOnce(async (...args) => {
        get.mockRestore();
        if (order === 'before') await advance();
        const marker = await read(...args);
        if (order === 'after') await advance();
        return marker;
      });
      const { state } = await compareStoreIdentities(world.dataSource, files.store);
      expect(state, `raised ${order} the store is read`).toBe('agreed');
    }
  });

  it('a lower generation in the database is rejected as restored until the operator accepts it', async () => {
    const { world, files, run } = createCheck();
    await run();
    for (let times = 0; times < 3; times += 1) await incrementBothGenerations(world.dataSource, files.store);
    await simulateRestoreOfOlderRows(world, 1);
    await expect(run()).rejects.toMatchObject({
      reason: 'database_older',
      message: expect.stringContaining('store reconcile'),
    });
    await expect(incrementBothGenerations(world.dataSource, files.store)).rejects.toMatchObject({
      reason: 'database_older',
    });
    await acceptRestoredDatabase(world.dataSource, files.store);
    expect(await run()).toMatchObject({ row: { generation: 4 }, marker: { generation: 4 } });
  });
});

/** An available store responds earlier, also on a busy machine. */
const STORE_TIMEOUT_MS = 30_000;

describe('a program whose store does not answer at startup', () => {
  function createVerifier(program: 'api' | 'processor' = 'processor', startTimeoutMs = 50) {
    const { world, files } = createCheck();
    const refusals: Error[] = [];
    const verifier = new StoreOwnershipService(world.dataSource, files.store, {
      program,
      startTimeoutMs,
      retryMs: 10,
    });
    onTestFinished(() => verifier.onModuleDestroy());
    return {
      verifier,
      refusals,
      files,
      world,
      begin: () => verifier.start((error) => void refusals.push(error)),
    };
  }
  function makeUnavailable(files: ThrowawayStore): () => void {
    const refusing = vi.spyOn(files.store, 'get').mockRejectedValue(new StoreUnavailableError('It is away.'));
    onTestFinished(() => refusing.mockRestore());
    return () => refusing.mockRestore();
  }

  it('the program starts and is confirmed as soon as the store answers', async () => {
    const { verifier, refusals, files, begin, world } = createVerifier();
    const restoreStore = makeUnavailable(files);
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    await begin();
    expect(verifier.isConfirmed).toBe(false);
    await expect
      .poll(() => warn)
      .toHaveBeenCalledWith(`cannot identify the object store (${files.store.location}) yet: It is away.`);
    restoreStore();
    await verifier.confirmed;
    expect(refusals).toEqual([]);
    expect((await compareStoreIdentities(world.dataSource, files.store)).row.generation).toBe(1);
  });

  it('the program ends when the store turns out to belong to another installation', async () => {
    await createCheck(1, 0).run();
    const { verifier, refusals, files, begin } = createVerifier();
    const restoreStore = makeUnavailable(files);
    await begin();
    restoreStore();
    await expect.poll(() => refusals).toMatchObject([{ reason: 'other_installation' }]);
    expect(verifier.isConfirmed).toBe(false);
  });

  it('the start fails at once when a store of another installation answers', async () => {
    await createCheck(1, 0).run();
    await expect(createVerifier('processor', STORE_TIMEOUT_MS).begin()).rejects.toMatchObject({
      reason: 'other_installation',
    });
  });

  it('the program ends when another installation adopts its store', async () => {
    const { verifier, refusals, files, begin } = createVerifier();
    await begin();
    await verifier.confirmed;
    await verifier.advance();
    await adoptStoreWithNewId(createCheck(1, 0).world.dataSource, files.store);
    await expect(verifier.verify()).rejects.toMatchObject({ reason: 'other_installation' });
    await expect(verifier.advance()).rejects.toMatchObject({ reason: 'other_installation' });
    expect(refusals).toHaveLength(2);
  });

  it('an API serves a database that was restored from an older state, and a processor does not', async () => {
    const { files, world, begin } = createVerifier('api', STORE_TIMEOUT_MS);
    await createCheck().run();
    await incrementBothGenerations(world.dataSource, files.store);
    await simulateRestoreOfOlderRows(world, 0);
    await begin();
    await expect(createVerifier('processor', STORE_TIMEOUT_MS).begin()).rejects.toMatchObject({
      reason: 'database_older',
    });
  });

  it('verifyIfReachable checks database and store on every call and does not end the program', async () => {
    const { files, world, begin, verifier, refusals } = createVerifier('api', STORE_TIMEOUT_MS);
    await createCheck().run();
    await incrementBothGenerations(world.dataSource, files.store);
    await begin();
    await verifier.verifyIfReachable();
    await simulateRestoreOfOlderRows(world, 0);
    await expect(verifier.verifyIfReachable()).rejects.toMatchObject({ reason: 'database_older' });
    const restoreStore = makeUnavailable(files);
    await verifier.verifyIfReachable();
    restoreStore();
    await acceptRestoredDatabase(world.dataSource, files.store);
    await verifier.verifyIfReachable();
    expect(refusals).toEqual([]);
  });
});

describe('adoptStoreWithNewId', () => {
  it('adoption pairs database and store, and separates their former partners', async () => {
    const [ownCheck, otherCheck, mixedCheck] = [createCheck(0, 0), createCheck(1, 1), createCheck(0, 1)];
    await ownCheck.run();
    await otherCheck.run();
    const jobId = uuidv7();
    await mixedCheck.files.putBytes(buildUploadedAudioKey(jobId));
    await expect(mixedCheck.run()).rejects.toMatchObject({ reason: 'other_installation' });
    await adoptStoreWithNewId(mixedCheck.world.dataSource, mixedCheck.files.store);
    expect((await mixedCheck.run()).state).toBe('agreed');
    await expect(ownCheck.run()).rejects.toMatchObject({ reason: 'other_store' });
    await expect(otherCheck.run()).rejects.toMatchObject({ reason: 'other_installation' });
    expect(await mixedCheck.files.listKeys('audio/')).toEqual([buildUploadedAudioKey(jobId)]);
  });
});
