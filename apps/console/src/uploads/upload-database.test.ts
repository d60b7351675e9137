import { afterEach, describe, expect, it, vi } from 'vitest';
import { listStoredItems, UPLOADS_DELETED_EVENT } from './upload-database.ts';

afterEach(() => vi.unstubAllGlobals());

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
  ])('when another tab %s, it is closed', async (_, newVersion, endedUploads) => {
    const database = new EmptyDatabase();
    const onDeleted = vi.fn();
    const window = new EventTarget();
    window.addEventListener(UPLOADS_DELETED_EVENT, onDeleted);
    vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window));
    vi.stubGlobal('indexedDB', {
      open: () => succeed(Object.assign(new EventTarget(), { result: database })),
    });
    await listStoredItems('uploads');
    database.dispatchEvent(Object.assign(new Event('versionchange'), { newVersion }));
    expect(database.close).toHaveBeenCalledOnce();
    expect(onDeleted).toHaveBeenCalledTimes(endedUploads);
  });
});
