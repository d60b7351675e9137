import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES } from '../jobs/job-options.ts';
import { createFileUploadRecord } from './create-record.ts';
import { MemoryDatabase } from './testing/memory-database.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import { UploadManager } from './upload-manager.ts';

import type { UploadRecord } from './upload-record.ts';

const ADA = 'account-a/ada';
const BOB = 'account-b/ada';
const PARTS = 3;
const PART_BYTES = 4;

/** The object store: parts are answered unless they are held. */
class FakePartRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly responseText = '';
  status = 0;
  private url = '';

  open(_method: string, url: string): void {
    this.url = url;
  }

  send(): void {
    sentParts.push(this.url);
    const { part, released } = held ?? {};
    if (this.url !== part) queueMicrotask(() => this.answer());
    else void released?.then(() => this.answer());
  }

  abort(): void {
    void this.end(onAbort());
  }

  private async end(ended: Promise<void>): Promise<void> {
    await ended;
    this.dispatchEvent(new Event('abort'));
    this.dispatchEvent(new Event('loadend'));
  }

  getResponseHeader(name: string): string | null {
    return name === 'etag' && this.status === 200 ? '"e"' : null;
  }

  private answer(): void {
    this.status = statusOfPart(this.url);
    this.dispatchEvent(new Event('load'));
    this.dispatchEvent(new Event('loadend'));
  }
}

let database: MemoryDatabase;
let owner: string | null;
let sentParts: string[];
let held: { part: string; released: Promise<void> } | null;
let statusOfPart: (url: string) => number;
/** A part that is given up has ended after it. */
let onAbort: () => Promise<void>;
/** Of requests that create a job. */
let idempotencyKeys: string[];
/** What the service says of a job whose upload is aborted. */
let abortedStatus: string;
let completed: string[];
let onSessionChanged: () => void;
let manager: UploadManager;

function answerRequest(path: string, body: Record<string, string>, headers: Record<string, string>): object {
  if (path.endsWith('multipart/create')) {
    const key = headers['idempotency-key'] ?? '';
    idempotencyKeys.push(key);
    const parts = Array.from({ length: PARTS }, (_, at) => ({ part_number: at + 1, url: `${key}/${at}` }));
    return { job_id: `job-of-${key}`, part_size: PART_BYTES, parts, expires_in: 86_400 };
  }
  if (path.endsWith('multipart/abort')) return { status: abortedStatus };
  if (path.endsWith('multipart/complete')) completed.push(body['job_id'] ?? '');
  return {};
}

beforeEach(() => {
  database = new MemoryDatabase();
  owner = ADA;
  sentParts = [];
  held = null;
  statusOfPart = () => 200;
  onAbort = async () => undefined;
  idempotencyKeys = [];
  abortedStatus = 'aborted';
  completed = [];
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window));
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  const storage = { estimate: async () => ({ quota: 1e9, usage: 0 }) };
  vi.stubGlobal('navigator', { storage });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      readonly postMessage = vi.fn();
    },
  );
  vi.stubGlobal('XMLHttpRequest', FakePartRequest);
  vi.stubGlobal(
    'fetch',
    async (url: URL, { body, headers }: { body?: string; headers: Record<string, string> }) =>
      body === undefined
        ? Response.json({ failed_stage: null })
        : Response.json(answerRequest(url.pathname, JSON.parse(body) as Record<string, string>, headers)),
  );
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request = Object.assign(new EventTarget(), { result: database });
      queueMicrotask(() => request.dispatchEvent(new Event('success')));
      return request;
    },
    deleteDatabase: vi.fn(),
  });
  stopUploadsAndDeleteUploadDatabase();
  manager = new UploadManager({ readOwner: () => owner, onSessionChanged: (onSessionChanged = vi.fn()) });
});

afterEach(() => {
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

function createUpload(name: string, uploadOwner = ADA): { record: UploadRecord; file: File } {
  const file = new File(['aaaabbbbc'], name);
  return { record: createFileUploadRecord(uploadOwner, file, DEFAULT_JOB_OPTIONS_FORM_VALUES), file };
}

/** @returns a function that lets the part arrive */
function holdPart(part: string): () => void {
  let release = () => {};
  held = { part, released: new Promise((resolve) => (release = resolve)) };
  return release;
}

const listStates = () => manager.getViews().map(({ fileName, state }) => `${fileName} ${state}`);
const expectStates = (...states: string[]) => vi.waitFor(() => expect(listStates()).toEqual(states));
const untilPartIsSent = (part: string) => vi.waitFor(() => expect(sentParts).toContain(part));

describe('an upload whose session ends, or shows another account', () => {
  it('waits, and goes on with the next part when the session shows its account again', async () => {
    const upload = createUpload('talk.wav');
    const release = holdPart(`${upload.record.id}/2`);
    await manager.add([upload]);
    await untilPartIsSent(`${upload.record.id}/2`);
    owner = null;
    release();
    await expectStates('talk.wav waiting');
    expect(completed).toEqual([]);
    owner = ADA;
    await manager.open();
    await expectStates('talk.wav sent');
    expect(sentParts).toHaveLength(PARTS);
    expect(database.items['uploads']?.get(upload.record.id)).toMatchObject({ state: 'sent' });
  });

  it('goes on with the files that wait behind it', async () => {
    const uploads = ['a.wav', 'b.wav', 'c.wav'].map((name) => createUpload(name));
    const release = holdPart(`${uploads[2]?.record.id}/2`);
    await manager.add(uploads);
    await untilPartIsSent(`${uploads[2]?.record.id}/2`);
    owner = BOB;
    release();
    await vi.waitFor(() => expect(listStates()).not.toContain('c.wav sending'));
    await manager.open();
    expect(manager.getViews()).toEqual([]);
    owner = ADA;
    await manager.open();
    await vi.waitFor(() =>
      expect(listStates().toSorted()).toEqual(['a.wav sent', 'b.wav sent', 'c.wav sent']),
    );
  });
});

it.each(['account_switched', 'permission_denied'])('the session is read again after %s', async (code) => {
  vi.stubGlobal('fetch', async () => Response.json({ code, title: 'Refused' }, { status: 403 }));
  await manager.add([createUpload('talk.wav')]);
  await vi.waitFor(() => expect(onSessionChanged).toHaveBeenCalledOnce());
});

describe('the uploads of another account', () => {
  it('are not shown while the storage is read', async () => {
    await manager.add([createUpload('private.wav')]);
    await expectStates('private.wav sent');
    let answer = () => {};
    database.listing = new Promise((resolve) => (answer = resolve));
    owner = BOB;
    const opened = manager.open();
    expect(listStates()).toEqual([]);
    answer();
    await opened;
    expect(listStates()).toEqual([]);
  });

  it('do not come twice if one is added while the storage is read', async () => {
    let answer = () => {};
    database.listing = new Promise((resolve) => (answer = resolve));
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
    const release = holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    await untilPartIsSent(`${upload.record.id}/1`);
    let end = () => {};
    const aborted = new Promise<void>((resolve) => {
      onAbort = () => {
        resolve();
        return new Promise((ended) => (end = ended));
      };
    });
    manager.pause(upload.record.id);
    expect(listStates()).toEqual(['talk.wav paused']);
    await aborted;
    manager.resume(upload.record.id);
    held = null;
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
    database.items['uploads']?.set(record.id, { ...record, state: 'paused', plan, parts } as UploadRecord);
    database.items['files']?.set(record.id, { id: record.id, file } as { id: string });
    return record;
  };

  it.each([
    ['whose URLs have expired', Date.now() - 1, []],
    ['whose URLs the store refuses', Date.now() + 1e6, ['old/1']],
  ])('%s is sent to another job', async (_, expiresAt, refused) => {
    const record = storeUpload(expiresAt);
    statusOfPart = (url) => (url.startsWith('old/') ? 403 : 200);
    await manager.open();
    manager.resume(record.id);
    await expectStates('talk.wav sent');
    const [key] = idempotencyKeys;
    expect(idempotencyKeys).toHaveLength(1);
    expect(key).not.toBe(record.id);
    expect(sentParts).toEqual([...refused, `${key}/0`, `${key}/1`, `${key}/2`]);
    expect(completed).toEqual([`job-of-${key}`]);
  });

  it('is not sent again if its job has the audio', async () => {
    abortedStatus = 'processing';
    const record = storeUpload(0);
    await manager.open();
    manager.resume(record.id);
    await expectStates('talk.wav sent');
    expect(idempotencyKeys).toEqual([]);
    expect(manager.getViews()[0]?.plan?.jobId).toBe('old-job');
  });

  it('because its parts were refused is sent with another key when it is tried again', async () => {
    const upload = createUpload('talk.wav');
    statusOfPart = () => 403;
    await manager.add([upload]);
    await expectStates('talk.wav failed');
    statusOfPart = () => 200;
    await manager.retryWithAnotherJob(upload.record.id);
    await expectStates('talk.wav sent');
    expect(new Set(idempotencyKeys).size).toBe(2);
  });
});

describe('the end of the tab', () => {
  const withRoom = (quota: number) =>
    vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota, usage: 0 }) } });

  it('interrupts an upload of a file that the browser has no copy of', async () => {
    withRoom(0);
    const upload = createUpload('talk.wav');
    const release = holdPart(`${upload.record.id}/1`);
    await manager.add([upload]);
    expect(manager.hasAudioOnlyInTab()).toBe(true);
    manager.pause(upload.record.id);
    // The file can be chosen again.
    expect(manager.hasAudioOnlyInTab()).toBe(false);
    held = null;
    release();
    manager.resume(upload.record.id);
    await expectStates('talk.wav sent');
    expect(manager.hasAudioOnlyInTab()).toBe(false);
  });

  it('loses a recording without a copy, also one that is paused', async () => {
    withRoom(0);
    const { record, file } = createUpload('recording.webm');
    holdPart(`${record.id}/1`);
    await manager.add([{ record: { ...record, isRecording: true }, file }]);
    manager.pause(record.id);
    expect(manager.hasAudioOnlyInTab()).toBe(true);
  });

  it('loses nothing if there is a copy', async () => {
    const upload = createUpload('talk.wav');
    const release = holdPart(`${upload.record.id}/1`);
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
  expect(database.items['uploads']?.get(upload.record.id)).toMatchObject({ state: 'paused' });
  expect(database.items['files']?.has(upload.record.id)).toBe(true);
  expect(idempotencyKeys).toEqual([]);
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
