import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ADA,
  createUpload,
  FakeUploadEnvironment,
  PART_BYTES,
  PARTS,
  WAIT_OPTIONS,
} from './testing/fake-upload-environment.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import { UploadManager } from './upload-manager.ts';
import type { UploadRecord } from './upload-record.ts';

const BOB = 'account-b/ada';

let environment: FakeUploadEnvironment;
let onSessionChanged: () => void;
let manager: UploadManager;

beforeEach(() => {
  environment = new FakeUploadEnvironment();
  environment.install();
  onSessionChanged = vi.fn();
  manager = new UploadManager({ readOwner: () => environment.owner, onSessionChanged });
});

afterEach(() => {
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

const listStates = () => manager.getViews().map(({ fileName, state }) => `${fileName} ${state}`);
const expectStates = (...states: string[]) =>
  vi.waitFor(() => expect(listStates()).toEqual(states), WAIT_OPTIONS);

describe('an upload whose session ends, or shows another account', () => {
  it('waits, and goes on with the next part when the session shows its account again', async () => {
    const upload = createUpload('talk.wav');
    const release = environment.holdPart(`${upload.record.id}/2`);
    await manager.add([upload]);
    await environment.untilPartIsSent(`${upload.record.id}/2`);
    environment.owner = null;
    release();
    await expectStates('talk.wav waiting');
    expect(environment.completed).toEqual([]);
    environment.owner = ADA;
    await manager.open();
    await expectStates('talk.wav sent');
    expect(environment.sentParts).toHaveLength(PARTS);
    expect(environment.database.items['uploads']?.get(upload.record.id)).toMatchObject({ state: 'sent' });
  });

  it('goes on with the files that wait behind it', async () => {
    const uploads = ['a.wav', 'b.wav', 'c.wav'].map((name) => createUpload(name));
    const release = environment.holdPart(`${uploads[2]?.record.id}/2`);
    await manager.add(uploads);
    await environment.untilPartIsSent(`${uploads[2]?.record.id}/2`);
    environment.owner = BOB;
    release();
    await vi.waitFor(() => expect(listStates()).not.toContain('c.wav sending'), WAIT_OPTIONS);
    await manager.open();
    expect(manager.getViews()).toEqual([]);
    environment.owner = ADA;
    await manager.open();
    await vi.waitFor(
      () => expect(listStates().toSorted()).toEqual(['a.wav sent', 'b.wav sent', 'c.wav sent']),
      WAIT_OPTIONS,
    );
  });
});

it.each(['account_switched', 'permission_denied'])('the session is read again after %s', async (code) => {
  vi.stubGlobal('fetch', async () => Response.json({ code, title: 'Refused' }, { status: 403 }));
  await manager.add([createUpload('talk.wav')]);
  await vi.waitFor(() => expect(onSessionChanged).toHaveBeenCalledOnce(), WAIT_OPTIONS);
});

describe('the uploads of another account', () => {
  it('are not shown while the storage is read', async () => {
    await manager.add([createUpload('private.wav')]);
    await expectStates('private.wav sent');
    let answer = () => {};
    environment.database.listing = new Promise((resolve) => (answer = resolve));
    environment.owner = BOB;
    const opened = manager.open();
    expect(listStates()).toEqual([]);
    answer();
    await opened;
    expect(listStates()).toEqual([]);
  });

  it('do not come twice if one is added while the storage is read', async () => {
    let answer = () => {};
    environment.database.listing = new Promise((resolve) => (answer = resolve));
    const opened = manager.open();
    const added = manager.add([createUpload('talk.wav')]);
    answer();
    await Promise.all([opened, added]);
    await expectStates('talk.wav sent');
  });
});

describe('an upload that is resumed before its run has ended', () => {
  it('goes on', async () => {
    const upload = createUpload('talk.wav');
    const release = environment.holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    await environment.untilPartIsSent(`${upload.record.id}/1`);
    let end = () => {};
    const aborted = new Promise<void>((resolve) => {
      environment.onAbort = () => {
        resolve();
        return new Promise((ended) => (end = ended));
      };
    });
    manager.pause(upload.record.id);
    expect(listStates()).toEqual(['talk.wav paused']);
    await aborted;
    manager.resume(upload.record.id);
    environment.held = null;
    end();
    release();
    await expectStates('talk.wav sent');
  });
});

describe('an upload that cannot be continued', () => {
  const storeUpload = (expiresAt: number) => {
    const { record, file } = createUpload('talk.wav');
    const plan = { jobId: 'old-job', partSize: PART_BYTES, urls: ['old/0', 'old/1', 'old/2'], expiresAt };
    const parts = [{ etag: '"e"', digest: null }];
    environment.database.items['uploads']?.set(record.id, {
      ...record,
      state: 'paused',
      plan,
      parts,
    } as UploadRecord);
    environment.database.items['files']?.set(record.id, { id: record.id, file } as { id: string });
    return record;
  };

  it.each([
    ['whose URLs have expired', Date.now() - 1, []],
    ['whose URLs the store refuses', Date.now() + 1e6, ['old/1']],
  ])('%s is sent to another job', async (_, expiresAt, refused) => {
    const record = storeUpload(expiresAt);
    environment.statusOfPart = (url) => (url.startsWith('old/') ? 403 : 200);
    await manager.open();
    manager.resume(record.id);
    await expectStates('talk.wav sent');
    const [key] = environment.idempotencyKeys;
    expect(environment.idempotencyKeys).toHaveLength(1);
    expect(key).not.toBe(record.id);
    expect(environment.sentParts).toEqual([...refused, `${key}/0`, `${key}/1`, `${key}/2`]);
    expect(environment.completed).toEqual([`job-of-${key}`]);
  });

  it('is not sent again if its job has the audio', async () => {
    environment.abortedStatus = 'processing';
    const record = storeUpload(0);
    await manager.open();
    manager.resume(record.id);
    await expectStates('talk.wav sent');
    expect(environment.idempotencyKeys).toEqual([]);
    expect(manager.getViews()[0]?.plan?.jobId).toBe('old-job');
  });

  it('because its parts were refused is sent with another key when it is tried again', async () => {
    const upload = createUpload('talk.wav');
    environment.statusOfPart = () => 403;
    await manager.add([upload]);
    await expectStates('talk.wav failed');
    environment.statusOfPart = () => 200;
    await manager.retryWithAnotherJob(upload.record.id);
    await expectStates('talk.wav sent');
    expect(new Set(environment.idempotencyKeys).size).toBe(2);
  });
});

describe('the end of the tab', () => {
  it('interrupts an upload of a file that the browser has no copy of', async () => {
    environment.setNavigator(0, true);
    const upload = createUpload('talk.wav');
    const release = environment.holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    expect(manager.hasAudioOnlyInTab()).toBe(true);
    release();
    await expectStates('talk.wav sent');
    expect(manager.hasAudioOnlyInTab()).toBe(false);
  });

  it('interrupts no upload that is paused, whose file can be chosen again', async () => {
    environment.setNavigator(0, true);
    await manager.addPaused([createUpload('talk.wav')]);
    expect(manager.hasAudioOnlyInTab()).toBe(false);
  });

  it('loses a recording without a copy, also one that is paused', async () => {
    environment.setNavigator(0, true);
    const { record, file } = createUpload('recording.webm');
    await manager.addPaused([{ record: { ...record, isRecording: true }, file }]);
    expect(manager.hasAudioOnlyInTab()).toBe(true);
  });

  it('loses nothing if there is a copy', async () => {
    const upload = createUpload('talk.wav');
    const release = environment.holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    expect(listStates()).not.toContain('talk.wav sent');
    expect(manager.hasAudioOnlyInTab()).toBe(false);
    release();
    await expectStates('talk.wav sent');
  });
});

it('an upload that is added paused is stored, and sent when it is resumed', async () => {
  const upload = createUpload('recording.webm');
  await manager.addPaused([upload]);
  expect(listStates()).toEqual(['recording.webm paused']);
  expect(environment.database.items['uploads']?.get(upload.record.id)).toMatchObject({ state: 'paused' });
  expect(environment.database.items['files']?.has(upload.record.id)).toBe(true);
  expect(environment.idempotencyKeys).toEqual([]);
  manager.resume(upload.record.id);
  await expectStates('recording.webm sent');
});

it('a page learns that somebody signed out since it was opened', () => {
  const { deletion } = manager;
  expect(deletion.aborted).toBe(false);
  stopUploadsAndDeleteUploadDatabase();
  expect(deletion.aborted).toBe(true);
  expect(manager.deletion.aborted).toBe(false);
});

describe('a job that is deleted', () => {
  it('takes its upload and its audio with it', async () => {
    const upload = createUpload('talk.wav');
    await manager.add([upload]);
    await expectStates('talk.wav sent');
    const jobId = `job-of-${upload.record.id}`;
    await vi.waitFor(() => expect(environment.database.items['audio']?.has(jobId)).toBe(true), WAIT_OPTIONS);
    await manager.forgetJob('another-job');
    expect(environment.database.items['files']?.size).toBe(1);
    await manager.forgetJob(jobId);
    expect(listStates()).toEqual([]);
    expect(Object.values(environment.database.items).map(({ size }) => size)).toEqual([0, 0, 0]);
  });

  it('leaves a file that was not sent to it', async () => {
    const upload = createUpload('talk.wav');
    environment.holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    await environment.untilPartIsSent(`${upload.record.id}/1`);
    await manager.forgetJob(`job-of-${upload.record.id}`);
    expect(listStates()).toEqual(['talk.wav sending']);
    expect(environment.database.items['files']?.size).toBe(1);
  });
});

it('no job is created for a file that cannot be read, such as a folder', async () => {
  const { record, file } = createUpload('folder');
  const unreadable = Object.assign(file, {
    slice: () => ({ arrayBuffer: async () => Promise.reject(new DOMException('', 'NotFoundError')) }),
  });
  await manager.add([{ record, file: unreadable }]);
  await expectStates('folder file_missing');
  expect(environment.idempotencyKeys).toEqual([]);
});
