import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteAllButUnsentUploads, deleteUploadsOfOtherUsers } from './delete-uploads-of-ended-sessions.ts';
import { MemoryDatabase } from './testing/memory-database.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import type { UploadRecord, UploadState } from './upload-record.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

let database: MemoryDatabase;

beforeEach(() => {
  database = new MemoryDatabase();
  vi.stubGlobal('dispatchEvent', vi.fn());
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request = Object.assign(new EventTarget(), { result: database });
      queueMicrotask(() => request.dispatchEvent(new Event('success')));
      return request;
    },
    deleteDatabase: vi.fn(),
  });
  stopUploadsAndDeleteUploadDatabase();
});

afterEach(() => {
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

function store(id: string, state: UploadState, more: Partial<UploadRecord> = {}): void {
  const record = { id, owner: 'account/ada', createdAt: NOW, state, ...more } as UploadRecord;
  database.items['uploads']?.set(id, record);
  database.items['files']?.set(id, { id });
}

function storeAudio(jobId: string, uploadId: string): void {
  database.items['audio']?.set(jobId, { jobId, uploadId, owner: 'account/ada' } as { jobId: string });
  database.items['files']?.set(uploadId, { id: uploadId });
}

const listKeys = () =>
  Object.fromEntries(Object.entries(database.items).map(([name, items]) => [name, [...items.keys()]]));

describe('a start without a session', () => {
  it('keeps the records and files of audio that is not sent, and nothing else', async () => {
    store('paused', 'paused');
    store('interrupted', 'sending');
    store('refused recording', 'failed', { isRecording: true });
    store('refused file', 'failed');
    store('sent', 'sent');
    storeAudio('job', 'sent');
    database.items['files']?.set('of no record', { id: 'of no record' });
    await deleteAllButUnsentUploads(NOW);
    const kept = ['paused', 'interrupted', 'refused recording'];
    expect(listKeys()).toEqual({ uploads: kept, files: kept, audio: [] });
  });

  it('keeps them for seven days', async () => {
    store('of this week', 'paused', { createdAt: NOW - 7 * DAY_MS + 1 });
    store('older', 'paused', { createdAt: NOW - 7 * DAY_MS, isRecording: true });
    await deleteAllButUnsentUploads(NOW);
    expect(listKeys()).toEqual({ uploads: ['of this week'], files: ['of this week'], audio: [] });
  });
});

it('the sign-in of a user deletes what is of others, also what is not sent', async () => {
  store('of ada', 'paused');
  store('of bob', 'paused', { owner: 'account/bob' });
  storeAudio('job', 'sent');
  await deleteUploadsOfOtherUsers('bob');
  expect(listKeys()).toEqual({ uploads: ['of bob'], files: ['of bob'], audio: [] });
});
