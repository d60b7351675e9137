import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  stopUploadsAndDeleteUploadDatabase,
  listUploadDatabaseItems,
  putStoredItem,
  UPLOADS_DELETED_EVENT,
} from './upload-database.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const WAIT_MS = 10_000;

/** What the browser offers of a database without items. */
class EmptyDatabase extends EventTarget {
  readonly close = vi.fn();

  readonly transaction = () => ({
    objectStore: () => ({ getAll: () => succeed(Object.assign(new EventTarget(), { result: [] })) }),
  });
}

function succeed<T extends EventTarget>(request: T): T {
  queueMicrotask(() => request.dispatchEvent(new Event('success')));
  return request;
}

describe('the database of uploads', () => {
  it.each([
    ['deletes it, because the user signed out', null, 1],
    ['opens a newer version', 2, 0],
  ])('is closed when another tab %s', async (_, newVersion, endedUploads) => {
    const database = new EmptyDatabase();
    const onDeleted = vi.fn();
    const window = new EventTarget();
    window.addEventListener(UPLOADS_DELETED_EVENT, onDeleted);
    vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window));
    vi.stubGlobal('indexedDB', {
      open: () => succeed(Object.assign(new EventTarget(), { result: database })),
    });
    await listUploadDatabaseItems('uploads');
    database.dispatchEvent(Object.assign(new Event('versionchange'), { newVersion }));
    expect(database.close).toHaveBeenCalledOnce();
    expect(onDeleted).toHaveBeenCalledTimes(endedUploads);
  });
});

/** A request that nothing happens to but what the test dispatches. */
class PendingRequest extends EventTarget {
  readonly result = new EmptyDatabase();
  readonly error = null;
}

/** What calls that open the database get, one after another. */
function stubOpening(...requests: (() => EventTarget)[]): void {
  vi.stubGlobal('dispatchEvent', vi.fn());
  vi.stubGlobal('indexedDB', {
    open: () => (requests.shift() ?? expect.unreachable('opened again'))(),
    deleteDatabase: vi.fn(),
  });
  stopUploadsAndDeleteUploadDatabase();
}

describe('a database of uploads that the browser does not open', () => {
  it.each([
    ['within ten seconds', () => vi.advanceTimersByTimeAsync(WAIT_MS)],
    [
      'because another tab has an older version',
      (pending: EventTarget) => pending.dispatchEvent(new Event('blocked')),
    ],
  ])('%s is an error, and the next call tries again', async (_, end) => {
    vi.useFakeTimers();
    const pending = new PendingRequest();
    const next = new PendingRequest();
    stubOpening(
      () => pending,
      () => succeed(next),
    );
    const listed = listUploadDatabaseItems('uploads');
    listed.catch(() => undefined);
    await end(pending);
    await expect(listed).rejects.toThrow('The browser has no storage.');
    expect(await listUploadDatabaseItems('uploads')).toEqual([]);
    // Late: it must not keep another tab from deleting the database.
    pending.dispatchEvent(new Event('success'));
    expect(pending.result.close).toHaveBeenCalledOnce();
    expect(next.result.close).not.toHaveBeenCalled();
  });
});

describe('an item of the database of uploads', () => {
  const open = () => {
    vi.useFakeTimers();
    const request = new PendingRequest();
    const transaction = () => Object.assign(new EventTarget(), { objectStore: () => ({ put: vi.fn() }) });
    Object.assign(request.result, { transaction });
    stubOpening(() => succeed(request));
  };

  it('that the storage does not take within ten seconds is an error', async () => {
    open();
    const put = putStoredItem('uploads', {} as never);
    put.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await expect(put).rejects.toThrow('timed out');
  });

  it('that is a file may take longer to copy', async () => {
    open();
    const settled = vi.fn();
    void putStoredItem('files', {} as never).finally(settled);
    await vi.advanceTimersByTimeAsync(100 * WAIT_MS);
    expect(settled).not.toHaveBeenCalled();
  });
});
