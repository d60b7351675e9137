import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADA, createUpload, FakeUploadEnvironment, WAIT_OPTIONS } from './testing/fake-upload-environment.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import { UploadManager } from './upload-manager.ts';
import type { UploadRecord } from './upload-record.ts';

let environment: FakeUploadEnvironment;
let manager: UploadManager;

const openTab = () => new UploadManager({ readOwner: () => environment.owner, onSessionChanged: vi.fn() });
const listStates = (tab: UploadManager) =>
  tab.getViews().map(({ fileName, state }) => `${fileName} ${state}`);
const countStored = () => environment.database.items['uploads']?.size;

beforeEach(() => {
  environment = new FakeUploadEnvironment();
  environment.install();
  manager = openTab();
});

afterEach(() => {
  vi.useRealTimers();
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

/** An upload whose second part is on its way. */
async function sendUpload(): Promise<string> {
  const upload = createUpload('talk.wav');
  environment.holdPart(`${upload.record.id}/1`);
  await manager.add([upload]);
  await environment.untilPartIsSent(`${upload.record.id}/1`);
  return upload.record.id;
}

describe('an upload that is removed', () => {
  it('while its job is being created ends the job', async () => {
    let create = () => {};
    environment.creation = new Promise((resolve) => (create = resolve));
    const upload = createUpload('talk.wav');
    await manager.add([upload]);
    await vi.waitFor(() => expect(environment.idempotencyKeys).toHaveLength(1), WAIT_OPTIONS);
    await manager.remove(upload.record.id);
    expect(environment.aborted).toEqual([]);
    create();
    await vi.waitFor(() => expect(environment.aborted).toEqual([`job-of-${upload.record.id}`]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(environment.sentParts).toEqual([]);
  });

  it('ends its job with another attempt after a 503', async () => {
    const id = await sendUpload();
    environment.abortStatuses.push(503);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await manager.remove(id);
    expect(manager.getViews()).toEqual([]);
    expect(environment.database.items['files']?.size).toBe(0);
    await vi.waitFor(() => expect(environment.aborted).toHaveLength(1), WAIT_OPTIONS);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(
      () => expect(environment.aborted).toEqual([`job-of-${id}`, `job-of-${id}`]),
      WAIT_OPTIONS,
    );
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
  });

  it('while the session is of another account ends its job when the uploads are opened again', async () => {
    const id = await sendUpload();
    environment.owner = null;
    await manager.remove(id);
    expect(environment.aborted).toEqual([]);
    environment.owner = ADA;
    const tab = openTab();
    await tab.open();
    expect(tab.getViews()).toEqual([]);
    await vi.waitFor(() => expect(environment.aborted).toEqual([`job-of-${id}`]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
  });

  it('is not tried again when its job does not exist', async () => {
    const id = await sendUpload();
    environment.abortStatuses.push(404);
    await manager.remove(id);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(environment.aborted).toEqual([`job-of-${id}`]);
  });
});

describe('an upload that is cancelled in another tab', () => {
  it('and waits behind others is sent by no tab', async () => {
    let create = () => {};
    environment.creation = new Promise((resolve) => (create = resolve));
    const uploads = ['waiting.wav', 'b.wav', 'c.wav'].map((name) => createUpload(name));
    // The other tab lists later ones first.
    for (const { record } of uploads) record.createdAt = uploads[0]?.record.createdAt ?? 0;
    await manager.add(uploads);
    const other = openTab();
    await other.open();
    await other.remove(uploads[0]?.record.id ?? '');
    create();
    await vi.waitFor(() => expect(listStates(manager)).toEqual(['b.wav sent', 'c.wav sent']), WAIT_OPTIONS);
    await vi.waitFor(() => expect(listStates(other)).toEqual(['b.wav sent', 'c.wav sent']), WAIT_OPTIONS);
    expect(environment.idempotencyKeys).toHaveLength(2);
    expect(countStored()).toBe(2);
  });

  it('while its job is being created ends the job', async () => {
    let create = () => {};
    environment.creation = new Promise((resolve) => (create = resolve));
    const { record, file } = createUpload('talk.wav');
    await manager.add([{ record, file }]);
    await vi.waitFor(() => expect(environment.idempotencyKeys).toHaveLength(1), WAIT_OPTIONS);
    const other = openTab();
    await other.open();
    await other.remove(record.id);
    create();
    await vi.waitFor(() => expect(environment.aborted).toEqual([`job-of-${record.id}`]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(listStates(manager)).toEqual([]);
    expect(environment.sentParts).toEqual([]);
  });

  it('while it is sent ends its job, and does not come back', async () => {
    const id = await sendUpload();
    const other = openTab();
    await other.open();
    await other.remove(id);
    await vi.waitFor(() => expect(listStates(manager)).toEqual([]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(new Set(environment.aborted)).toEqual(new Set([`job-of-${id}`]));
    const later = openTab();
    await later.open();
    expect(listStates(later)).toEqual([]);
  });

  it('is not listed by a tab that was reading the storage', async () => {
    const { record, file } = createUpload('talk.wav');
    await manager.addPaused([{ record, file }]);
    const other = openTab();
    let answer = () => {};
    environment.database.listing = new Promise((resolve) => (answer = resolve));
    const opened = other.open();
    await manager.remove(record.id);
    // As the other tab may have read it.
    environment.database.items['uploads']?.set(record.id, { ...record, state: 'paused' } as UploadRecord);
    answer();
    await opened;
    expect(listStates(other)).toEqual([]);
  });
});
