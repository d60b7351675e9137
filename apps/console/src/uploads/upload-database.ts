import pTimeout from 'p-timeout';
import type { StoredJobAudioRecord, UploadRecord } from './upload-record.ts';

const NAME = 'uploads';
const VERSION = 1;
/** Opening waits without an event while another tab keeps the database from being deleted, and so does all that follows. */
const WAIT_MS = 10_000;

interface Stores {
  /** By id. */
  uploads: UploadRecord;
  /** Files by the id of their upload. */
  files: { id: string; file: File };
  /** By the id of the job. */
  audio: StoredJobAudioRecord & { uploadId: string };
}

let opened: Promise<IDBDatabase> | undefined;

/** @throws also if the browser does not open it in time; the next call tries again */
function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    let hasFailed = false;
    const fail = () => {
      hasFailed = true;
      clearTimeout(timer);
      opened = undefined;
      reject(request.error ?? new Error('The browser has no storage.'));
    };
    const timer = setTimeout(fail, WAIT_MS);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('uploads', { keyPath: 'id' });
      request.result.createObjectStore('files', { keyPath: 'id' });
      request.result.createObjectStore('audio', { keyPath: 'jobId' });
    });
    request.addEventListener('success', () => {
      clearTimeout(timer);
      const database = request.result;
      // Nobody uses it any more, and open it would keep other tabs from deleting it.
      if (hasFailed) return database.close();
      // Another tab deletes the database when its user signs out: this tab must not save its uploads again.
      database.addEventListener('versionchange', ({ newVersion }) => {
        database.close();
        opened = undefined;
        if (newVersion === null) globalThis.dispatchEvent(new Event(UPLOADS_DELETED_EVENT));
      });
      resolve(database);
    });
    request.addEventListener('error', fail);
    // A tab with an older version has it open.
    request.addEventListener('blocked', fail);
  });
  return opened;
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  const settled = new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The storage failed.')));
  });
  return pTimeout(settled, { milliseconds: WAIT_MS });
}

/**
 * Resolves when the item is on disk. Copying a file takes as long as the disk needs, all else is bounded.
 * @throws `QuotaExceededError`, among others
 */
export async function putStoredItem<Name extends keyof Stores>(
  name: Name,
  item: Stores[Name],
): Promise<void> {
  const database = await openDatabase();
  const completed = new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(name, 'readwrite');
    const fail = () => reject(transaction.error ?? new Error('The storage failed.'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
    transaction.objectStore(name).put(item);
  });
  await pTimeout(completed, { milliseconds: name === 'files' ? Infinity : WAIT_MS });
}

export async function findStoredItem<Name extends keyof Stores>(
  name: Name,
  key: string,
): Promise<Stores[Name] | undefined> {
  const transaction = (await openDatabase()).transaction(name);
  return settle(transaction.objectStore(name).get(key) as IDBRequest<Stores[Name] | undefined>);
}

export async function listUploadDatabaseItems<Name extends keyof Stores>(
  name: Name,
): Promise<Stores[Name][]> {
  const transaction = (await openDatabase()).transaction(name);
  return settle(transaction.objectStore(name).getAll() as IDBRequest<Stores[Name][]>);
}

export async function listStoredKeys(name: keyof Stores): Promise<string[]> {
  const transaction = (await openDatabase()).transaction(name);
  return settle(transaction.objectStore(name).getAllKeys() as IDBRequest<string[]>);
}

export async function deleteStoredItem(name: keyof Stores, key: string): Promise<void> {
  const transaction = (await openDatabase()).transaction(name, 'readwrite');
  await settle(transaction.objectStore(name).delete(key));
}

/** Event of the window when the uploads of all accounts are removed. */
export const UPLOADS_DELETED_EVENT = 'uploads-deleted';

/** Ends uploads and removes what the browser has of all accounts, when somebody signs out. */
export function stopUploadsAndDeleteUploadDatabase(): void {
  globalThis.dispatchEvent(new Event(UPLOADS_DELETED_EVENT));
  opened = undefined;
  indexedDB.deleteDatabase(NAME);
}
