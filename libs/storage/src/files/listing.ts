import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectInfo } from '../object-store.js';
import type { StoreUnavailableError } from '../store-errors.js';
import { nullIfFileMissing, undefinedIfFileUnreadable } from './fs-errors.js';
import { type FileStoreLayout, parseFileStoreEntryName } from './file-store-layout.js';
import { readObjectRecord, toObjectInfo } from './object-record.js';
import { sortWithoutBlocking } from './sort-without-blocking.js';

/** Entries per call of the operating system. */
const READ_BUFFER_ENTRIES = 1_024;

interface Entry {
  /** Key of an object, or a common prefix of keys that ends in `/`. */
  text: string;
  isObject: boolean;
  path: string;
}

function compareEntries(left: Entry, right: Entry): number {
  return left.text < right.text ? -1 : 1;
}

async function readEntries(directory: string, parent: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const opened = await nullIfFileMissing(opendir(directory, { bufferSize: READ_BUFFER_ENTRIES }));
  for await (const { name } of opened ?? []) {
    const read = parseFileStoreEntryName(name);
    if (read.kind === 'data') continue;
    const isObject = read.kind === 'record';
    entries.push({
      text: parent + read.segment + (isObject ? '' : '/'),
      isObject,
      path: join(directory, name),
    });
  }
  // A directory sorts with its slash, so that a walk yields the order of whole keys.
  return sortWithoutBlocking(entries, compareEntries);
}

/** Yields keys in order, reads no folder beside the one that the prefix names, and holds one folder in memory at a time. */
export function listKeys(layout: FileStoreLayout, prefix: string): AsyncGenerator<string> {
  const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  // The name of the object only finds its folder.
  return walkKeys(layout.directoryPath(`${parent}x`), prefix, parent);
}

async function* walkKeys(directory: string, prefix: string, parent: string): AsyncGenerator<string> {
  for (const { text, isObject, path } of await readEntries(directory, parent)) {
    if (!text.startsWith(prefix)) continue;
    if (isObject) yield text;
    else yield* walkKeys(path, prefix, text);
  }
}

/** Lists objects in key order. @param onUnreadable called for each object that is skipped */
export async function* listObjects(
  layout: FileStoreLayout,
  prefix: string,
  onUnreadable: (key: string, error: StoreUnavailableError) => void,
): AsyncGenerator<ObjectInfo> {
  for await (const key of listKeys(layout, prefix)) {
    const record = await undefinedIfFileUnreadable(readObjectRecord(layout.recordPath(key)), (error) =>
      onUnreadable(key, error),
    );
    if (record) yield toObjectInfo(record);
  }
}
