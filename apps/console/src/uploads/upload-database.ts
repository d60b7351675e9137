import type { StoredAudioRecord, UploadRecord } from './upload-record.ts';

const NAME = 'uploads';
const VERSION = 1;

interface Stores {
  /** By id. */
  uploads: UploadRecord;
  /** Files by the id of their upload. */
  files: { id: string; file: File };
  /** By the id of the job. */
  audio: StoredAudioRecord & { uploadId: string };
}

let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('uploads', { keyPath: 'id' });
      request.result.createObjectStore('files', { keyPath: 'id' });
      request.result.createObjectStore('audio', { keyPath: 'jobId' });
    });
    request.addEventListener('success', () => {
      const database = request.result;
      // Another tab deletes the database when its user signs out: this tab must not save its uploads again.
      database.addEventListener('versionchange', ({ newVersion }) => {
        database.close();
        opened = undefined;
        if (newVersion === null) globalThis.dispatchEvent(new Event(UPLOADS_DELETED_EVENT));
      });
      resolve(database);
    });
    request.addEventListener('error', () => {
      opened = undefined;
      reject(request.error ?? new Error('The browser has no storage.'));
    });
  });
  return opened;
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The storage failed.')));
  });
}

/** Resolves when the item is on disk. @throws `QuotaExceededError`, among others */
export async function putStoredItem<Name extends keyof Stores>(
  name: Name,
  item: Stores[Name],
): Promise<void> {
  const database = await openDatabase();
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(name, 'readwrite');
    const fail = () => reject(transaction.error ?? new Error('The storage failed.'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
    transaction.objectStore(name).put(item);
  });
}

export async function getStoredItem<Name extends keyof Stores>(
  name: Name,
  key: string,
): Promise<Stores[Name] | undefined> {
  const transaction = (await openDatabase()).transaction(name);
  return settle(transaction.objectStore(name).get(key) as IDBRequest<Stores[Name] | undefined>);
}

export async function listStoredItems<Name extends keyof Stores>(name: Name): Promise<Stores[Name][]> {
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

/** Of the window, when the uploads of all accounts are removed. */
export const UPLOADS_DELETED_EVENT = 'uploads-deleted';

/** Ends uploads and removes what the browser has of all accounts, when somebody signs out. */
export function deleteUploadDatabase(): void {
  globalThis.dispatchEvent(new Event(UPLOADS_DELETED_EVENT));
  opened = undefined;
  indexedDB.deleteDatabase(NAME);
}
