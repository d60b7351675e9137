import { inTransaction } from '@app/database';
import {
  addOrRestartStages,
  buildUploadedAudioKey,
  beginAudioIntake,
  claimNextStage,
  buildTranscriptDocumentKey,
  buildFetchedAudioKey,
  getStageQueue,
} from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { OrphanDeletion } from '../../apps/processor/src/maintenance/orphan-deletion.js';
import {
  UnneededMultipartUploadDeletion,
  type UnneededMultipartUploadDeletionOptions,
} from '../../apps/processor/src/maintenance/unneeded-multipart-upload-deletion.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createStoreScans } from '../support/store-scans.js';

const neverAborted = new AbortController().signal;

/** The third observation is sufficient. */
const SCAN_OPTIONS = { ageMs: 0, bytesPerSecond: Infinity };

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => void (files = await createThrowawayStore()));
afterEach(() => files.close());

describe('open uploads that no job needs', () => {
  const listOpenUploads = async () => {
    const found: string[] = [];
    for await (const { uploadId } of files.store.listUploads('')) found.push(uploadId);
    return found.toSorted();
  };
  const scanThreeTimes = async (uploads: UnneededMultipartUploadDeletion) => [
    await countAborted(uploads),
    await countAborted(uploads),
    await countAborted(uploads),
  ];
  const createScan = (options: UnneededMultipartUploadDeletionOptions = SCAN_OPTIONS) => {
    const none = () => undefined;
    const policy = { retentionDays: 7, minUptimeSeconds: 0 };
    const metrics = { setObserved: none, setHeld: none, addDeleted: none };
    const orphans = new OrphanDeletion(world.dataSource, policy, { warn: none }, metrics);
    return new UnneededMultipartUploadDeletion(world.dataSource, files.store, orphans, options);
  };
  const countAborted = async (uploads: UnneededMultipartUploadDeletion) =>
    (await uploads.scan(neverAborted)).aborted;
  /** Key of the body of a running request. */
  const createBodyKey = async () => {
    const id = uuidv7();
    await beginAudioIntake(world.dataSource, id, 3_600);
    return buildUploadedAudioKey(id);
  };
  const startUpload = (key: string) => files.store.createMultipart(key, 'audio/wav');
  const startBody = async () => {
    const key = await createBodyKey();
    const uploadId = await startUpload(key);
    await files.store.putPart(key, uploadId, 1, generatePart());
    return uploadId;
  };

  it('the store is asked for the parts of uploads only that no open job and no orphan has', async () => {
    const pending = await world.newJob({ enqueue: false });
    const needed = await startUpload(buildUploadedAudioKey(pending));
    await world.rows('UPDATE job SET upload_id = $2 WHERE id = $1', pending, needed);
    const orphan = await startUpload(buildUploadedAudioKey(uuidv7()));
    const unneeded = await startUpload(buildUploadedAudioKey(await world.newJob({ enqueue: false })));
    const inspected: string[] = [];
    const listUploads = files.store.listUploads.bind(files.store);
    files.store.listUploads = async function* (...request) {
      for await (const upload of listUploads(...request))
        yield {
          ...upload,
          readPartsVersion: () => {
            inspected.push(upload.uploadId);
            return upload.readPartsVersion();
          },
        };
    };
    await createScan().scan(neverAborted);
    expect(inspected).toContain(unneeded);
    expect(inspected).not.toContain(needed);
    expect(inspected).not.toContain(orphan);
  });

  it('an upload is aborted after three scans without a new part, and the upload of a pending job stays', async () => {
    const pending = await world.newJob({ enqueue: false });
    const ownUploadId = await startUpload(buildUploadedAudioKey(pending));
    await world.rows('UPDATE job SET upload_id = $2 WHERE id = $1', pending, ownUploadId);
    const key = await createBodyKey();
    const orphan = await startUpload(key);
    const uploads = createScan();
    expect([await countAborted(uploads), await countAborted(uploads)]).toEqual([0, 0]);
    await files.store.putPart(key, orphan, 1, generatePart());
    expect([await countAborted(uploads), await countAborted(uploads)]).toEqual([0, 0]);
    expect(await listOpenUploads()).toEqual([ownUploadId, orphan].toSorted());
    expect(await countAborted(uploads)).toBe(1);
    expect(await listOpenUploads()).toEqual([ownUploadId]);
    await world.rows('UPDATE job SET audio_deleted_at = now() WHERE id = $1', pending);
    expect(await scanThreeTimes(uploads)).toEqual([0, 0, 1]);
    expect(await listOpenUploads()).toEqual([]);
  });

  it('an upload of a request that can no longer run is aborted whatever time a part may take', async () => {
    const over = [await startBody(), await startUpload(await createBodyKey())];
    await world.rows(`UPDATE audio_intake SET expires_at = now() - interval '1 second'`);
    const running = [await startBody(), await startUpload(await createBodyKey())];
    expect(await listOpenUploads()).toEqual([...over, ...running].toSorted());
    expect(await scanThreeTimes(createScan({ ageMs: 0, bytesPerSecond: 0 }))).toEqual([0, 0, 2]);
    expect(await listOpenUploads()).toEqual(running.toSorted());
  });

  it('an upload whose URLs may be being signed is not aborted, however long it has no part', async () => {
    const uploadId = await startUpload(await createBodyKey());
    const uploads = createScan();
    expect([await scanThreeTimes(uploads), await scanThreeTimes(uploads)].flat()).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await listOpenUploads()).toEqual([uploadId]);
  });

  it('an upload that cannot be aborted does not block others and is retried by the next scan', async () => {
    await startBody();
    await startBody();
    await startUpload(buildTranscriptDocumentKey(await world.newJob({ enqueue: false }), 1));
    const abortMultipart = files.store.abortMultipart.bind(files.store);
    const failingAbort = vi
      .spyOn(files.store, 'abortMultipart')
      .mockImplementationOnce(() => Promise.reject(new Error('it cannot be aborted')))
      .mockImplementation(abortMultipart);
    const uploads = createScan();
    await expect(scanThreeTimes(uploads)).rejects.toThrow(/^audio\/.*: it cannot be aborted$/);
    expect(failingAbort).toHaveBeenCalledTimes(3);
    expect(await listOpenUploads()).toHaveLength(1);
    expect(await countAborted(uploads)).toBe(1);
    expect(await listOpenUploads()).toEqual([]);
  });

  it('an upload stays while the stage attempt that writes it runs', async () => {
    const activeUploads = [];
    for (const [name, keyOf] of [
      ['preprocess', buildFetchedAudioKey],
      ['aggregation', buildTranscriptDocumentKey],
      ['chunk:0', buildTranscriptDocumentKey],
    ] as const) {
      const id = await world.newJob({ enqueue: false });
      await inTransaction(world.dataSource, (tx) =>
        addOrRestartStages(tx, id, [{ name, chunkIndex: 0, input: null }]),
      );
      const { fence } =
        (await claimNextStage(world.dataSource, getStageQueue(name), 10)) ??
        expect.unreachable('nothing is due');
      activeUploads.push({ id, upload: await startUpload(keyOf(id, fence)) });
      await startUpload(keyOf(id, fence + 1));
    }
    const uploads = createScan();
    expect(await scanThreeTimes(uploads)).toEqual([0, 0, 3]);
    expect(await listOpenUploads()).toEqual(activeUploads.map(({ upload }) => upload).toSorted());
    for (const { id } of activeUploads) await world.loseLease(id);
    expect(await scanThreeTimes(uploads)).toEqual([0, 0, 3]);
    expect(await listOpenUploads()).toEqual([]);
  });

  it('an upload that may be an active request body stays for as long as a slow client may take for a part', async () => {
    const body = await startBody();
    await startUpload(buildUploadedAudioKey(await world.newJob({ enqueue: false })));
    const slow = { ageMs: 0, bytesPerSecond: 1_024 };
    const uploads = createScan(slow);
    const now = vi.spyOn(performance, 'now');
    onTestFinished(() => now.mockRestore());
    const scanAt = async (seconds: number) => {
      now.mockReturnValue(seconds * 1_000);
      return countAborted(uploads);
    };
    expect([await scanAt(0), await scanAt(4_000), await scanAt(8_191)]).toEqual([0, 0, 1]);
    expect(await listOpenUploads()).toEqual([body]);
    expect(await scanAt(8_192)).toBe(1);
  });
});

describe('open uploads without a row', () => {
  it('such uploads are observed and aborted after days, except those that a caller may have sent', async () => {
    const scans = createStoreScans(world, files);
    for (const key of [buildFetchedAudioKey(uuidv7(), 1), buildUploadedAudioKey(uuidv7()), 'audio/notes'])
      await files.store.createMultipart(key, 'audio/wav');
    const listRemaining = async () => {
      const found: string[] = [];
      for await (const { key } of files.store.listUploads('')) found.push(key.split('/')[0] ?? '');
      return found.toSorted();
    };
    await scans.scanDaily(8);
    expect(await listRemaining()).toEqual(['audio', 'audio', 'work']);
    await scans.scanDaily(1);
    expect(await listRemaining()).toEqual(['audio', 'audio']);
    await scans.scanDaily(30);
    expect(await listRemaining()).toEqual(['audio', 'audio']);
    expect(scans.held.get('uploads to audio/')).toBe(1);
  });
});

async function* generatePart(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('part');
}
