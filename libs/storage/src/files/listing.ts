import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectInfo } from '../object-store.js';
import type { StoreUnavailableError } from '../store-errors.js';
import { nullIfMissing, undefinedIfUnreadable } from './fs-errors.js';
import { type FileStoreLayout, parseEntryName } from './file-store-layout.js';
import { readObjectRecord, toObjectInfo } from './object-record.js';

interface Entry {
  /** Key of an object, or the common beginning of keys, ending in `/`. */
  text: string;
  isObject: boolean;
  path: string;
}

function compareEntries(left: Entry, right: Entry): number {
  return left.text < right.text ? -1 : 1;
}

async function readEntries(directory: string, parent: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of (await nullIfMissing(readdir(directory))) ?? []) {
    const read = parseEntryName(name);
    if (read.kind === 'data') continue;
    const isObject = read.kind === 'record';
    entries.push({
      text: parent + read.segment + (isObject ? '' : '/'),
      isObject,
      path: join(directory, name),
    });
  }
  // A directory sorts with its slash, so that walking in this order is the order of the whole keys.
  return entries.sort(compareEntries);
}

/** Every key under a prefix, in order, one directory in memory at a time. */
export async function* listKeys(directory: string, prefix: string, parent = ''): AsyncGenerator<string> {
  for (const { text, isObject, path } of await readEntries(directory, parent)) {
    if (isObject) {
      if (text.startsWith(prefix)) yield text;
    } else if (text.startsWith(prefix) || prefix.startsWith(text)) {
      yield* listKeys(path, prefix, text);
    }
  }
}

/**
 * Every object under a prefix, in order of the keys. One whose record cannot be read keeps no other from being listed.
 * @param onUnreadable told of each of those
 */
export async function* listObjects(
  layout: FileStoreLayout,
  prefix: string,
  onUnreadable: (key: string, error: StoreUnavailableError) => void,
): AsyncGenerator<ObjectInfo> {
  for await (const key of listKeys(layout.objectsDirectory, prefix)) {
    const record = await undefinedIfUnreadable(readObjectRecord(layout.recordPath(key)), (error) =>
      onUnreadable(key, error),
    );
    if (record) yield toObjectInfo(record);
  }
}
