import { inTransaction } from '@app/database';
import {
  acceptRestoredDatabase,
  adoptStoreWithNewId,
  incrementBothGenerations,
  claimOrVerifyStore,
  StoreOwnershipService,
  StoreMismatchError,
} from '@app/installation';
import {
  buildUploadedAudioKey,
  buildChunkKey,
  buildTranscriptDocumentKey,
  buildFailedOutcome,
  endJob,
  buildRenderedTranscriptKey,
} from '@app/jobs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AudioAndIntermediateObjectDeletion } from '../../apps/processor/src/maintenance/audio-and-intermediate-object-deletion.js';
import type { ThrowawayStore } from '../support/throwaway-store.js';
import { createInstalledWorld, simulateRestoreOfOlderRows } from '../support/installations.js';
import type { World } from '../support/job-world.js';
import { ageOrphanObservations, createStoreScans } from '../support/store-scans.js';

const DAYS = 12;

interface StoredJobs {
  completed: string[];
  /** A job with a pending upload whose bytes are stored. */
  waiting: string;
  running: string;
}

/** Tests databases with stores that do not match. @param openStore opens an empty store */
export function describeMissingRows(name: string, openStore: () => Promise<ThrowawayStore>): void {
  let own: World | undefined;
  let store: ThrowawayStore | undefined;
  const fixture = () => {
    if (!own || !store) throw new Error('The world and the store are opened before each test.');
    return { own, store };
  };

  /** Another world, until the test ends. */
  async function openOther(): Promise<World> {
    const other = await createInstalledWorld();
    onTestFinished(() => other.close());
    return other;
  }

  /** Another empty store, until the test ends. */
  async function openElsewhere(): Promise<ThrowawayStore> {
    const elsewhere = await openStore();
    onTestFinished(() => elsewhere.close());
    return elsewhere;
  }

  async function createStoredJobs(world: World, files: ThrowawayStore): Promise<StoredJobs> {
    const completed: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const id = await world.newJob();
      await files.putBytes(buildTranscriptDocumentKey(id, 1));
      await files.putBytes(buildRenderedTranscriptKey(id, 1, 'txt'));
      const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(id, 1, 'txt') } as const;
      await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
      await world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', id);
      completed.push(id);
    }
    const [waiting, running] = [await world.newJob({ enqueue: false }), await world.newJob()];
    for (const key of [
      buildUploadedAudioKey(waiting),
      buildUploadedAudioKey(running),
      buildChunkKey(running, 1, { chunking: 1, index: 0 }),
    ])
      await files.putBytes(key);
    const uploadId = await files.store.createMultipart(buildUploadedAudioKey(waiting), 'audio/wav');
    await world.rows('UPDATE job SET upload_id = $2 WHERE id = $1', waiting, uploadId);
    return { completed, waiting, running };
  }

  async function listContents(
    { store: objects, listKeys: keys }: ThrowawayStore,
    ...prefixes: string[]
  ): Promise<string[]> {
    const uploads: string[] = [];
    for await (const { key } of objects.listUploads('')) uploads.push(`upload of ${key}`);
    return [...(await keys(...prefixes)), ...uploads];
  }
  const listEverything = (files: ThrowawayStore) => listContents(files, 'audio/', 'work/', 'transcripts/');
  const listAudioAndTranscripts = (files: ThrowawayStore) => listContents(files, 'audio/', 'transcripts/');

  /**
   * Starts a processor on database and store and runs its maintenance for days.
   * @returns the reason of the mismatch, if any
   */
  async function runProcessor(world: World, files: ThrowawayStore): Promise<string | null> {
    const verifier = new StoreOwnershipService(world.dataSource, files.store, {
      program: 'processor',
      startTimeoutMs: 20_000,
    });
    let reason: string | null = null;
    const recordMismatch = (error: unknown) => {
      if (!(error instanceof StoreMismatchError)) throw error;
      reason = error.reason;
    };
    await verifier.start(recordMismatch).catch(recordMismatch);
    const scans = createStoreScans(world, files);
    for (let day = 0; day < DAYS; day += 1) {
      await ageOrphanObservations(world, '23 hours');
      await verifier
        .verify()
        .then(() => scans.scanOnce())
        .catch(recordMismatch);
    }
    verifier.onModuleDestroy();
    return reason;
  }

  describe(`deletion of orphans in the object store ${name}`, () => {
    let storedJobs: StoredJobs;
    let before: string[];
    beforeEach(async () => {
      [own, store] = await Promise.all([createInstalledWorld(), openStore()]);
      await claimOrVerifyStore(fixture().own.dataSource, fixture().store.store);
      await incrementBothGenerations(fixture().own.dataSource, fixture().store.store);
      storedJobs = await createStoredJobs(fixture().own, fixture().store);
      before = await listEverything(fixture().store);
      expect(before).toHaveLength(10);
    });
    afterEach(async () => {
      for (const resource of [own, store]) await resource?.close();
    });

    it('the maintenance keeps every object that a row of its own database refers to', async () => {
      expect(await runProcessor(fixture().own, fixture().store)).toBeNull();
      expect(await listEverything(fixture().store)).toEqual(before);
    });

    it('a processor refuses a store whose database is empty; after adoption no audio or transcript is deleted', async () => {
      const { store: files } = fixture();
      const other = await openOther();
      expect(await runProcessor(other, files)).toBe('other_installation');
      expect(await listEverything(files)).toEqual(before);
      const bytes = await listAudioAndTranscripts(files);
      await adoptStoreWithNewId(other.dataSource, files.store);
      expect(await runProcessor(other, files)).toBeNull();
      expect(await listAudioAndTranscripts(files)).toEqual(bytes);
    });

    it('a processor refuses the store of another installation and deletes nothing from either store', async () => {
      const [other, elsewhere] = await Promise.all([openOther(), openElsewhere()]);
      await claimOrVerifyStore(other.dataSource, elsewhere.store);
      await createStoredJobs(other, elsewhere);
      const otherContents = await listEverything(elsewhere);
      expect(await runProcessor(other, fixture().store)).toBe('other_installation');
      expect(await runProcessor(fixture().own, elsewhere)).toBe('other_installation');
      expect(await listEverything(fixture().store)).toEqual(before);
      expect(await listEverything(elsewhere)).toEqual(otherContents);
    });

    it('a processor refuses an older database; after acceptance the audio and transcripts of newer rows stay', async () => {
      const { own: world, store: files } = fixture();
      const [lostJobId = '', reopenedJobId = ''] = storedJobs.completed;
      await incrementBothGenerations(world.dataSource, files.store);
      await world.rows('DELETE FROM job WHERE id = ANY($1)', [lostJobId, storedJobs.waiting]);
      await world.rows(
        `UPDATE job SET status = 'processing', result_key = NULL, finished_at = NULL, audio_deleted_at = NULL WHERE id = $1`,
        reopenedJobId,
      );
      await simulateRestoreOfOlderRows(world, 1);
      expect(await runProcessor(world, files)).toBe('database_older');
      expect(await listEverything(files)).toEqual(before);
      const bytes = await listAudioAndTranscripts(files);
      await acceptRestoredDatabase(world.dataSource, files.store);
      // The processor then fails a job whose transcript was paid for; that transcript must stay for days, too.
      await inTransaction(world.dataSource, (tx) =>
        endJob(tx, world.hooks, reopenedJobId, buildFailedOutcome('preprocess', 'The audio is gone.')),
      );
      await new AudioAndIntermediateObjectDeletion(world.dataSource, files.store, {
        graceSeconds: 0,
      }).runBatch(new AbortController().signal);
      expect(await listAudioAndTranscripts(files)).toEqual(bytes);
      expect(await runProcessor(world, files)).toBeNull();
      expect((await listAudioAndTranscripts(files)).filter((key) => !key.includes(reopenedJobId))).toEqual(
        bytes.filter((key) => !key.includes(reopenedJobId)),
      );
    });

    it('a store that was restored to an older state loses no further object', async () => {
      const { own: world, store: files } = fixture();
      for (let times = 0; times < 3; times += 1)
        await world.rows('UPDATE installation SET generation = generation + 1');
      const [jobId = ''] = storedJobs.completed;
      await files.store.deletePrefix(`transcripts/${jobId}/`);
      expect(await runProcessor(world, files)).toBeNull();
      expect(await listEverything(files)).toEqual(before.filter((key) => !key.includes(jobId)));
    });

    it('a processor refuses an empty store for its database and writes no marker', async () => {
      const elsewhere = await openElsewhere();
      expect(await runProcessor(fixture().own, elsewhere)).toBe('unmarked_store');
      expect(await elsewhere.listKeys('zephyr')).toEqual([]);
    });

    it('a store without a marker from the previous version is claimed at the first start, and nothing is deleted', async () => {
      const { own: world, store: files } = fixture();
      await files.store.delete('zephyr-installation.json');
      await world.rows('UPDATE installation SET store_id = NULL, generation = 0');
      expect(await runProcessor(world, files)).toBeNull();
      expect(await listEverything(files)).toEqual(before);
      expect(await files.listKeys('zephyr')).toEqual(['zephyr-installation.json']);
    });
  });
}
