import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectInfo } from '../object-store.js';
import type { StoreUnavailableError } from '../store-errors.js';
import { nullIfMissing, undefinedIfStoreUnavailable } from './fs-errors.js';
import { type FileStoreLayout, parseEntryName } from './file-store-layout.js';
import { readObjectRecord, toObjectInfo } from './object-record.js';

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
  // A directory sorts with its slash, so that a walk yields the order of whole keys.
  return entries.sort(compareEntries);
}

/** Yields keys in order and holds one directory in memory at a time. */
export async function* listKeys(directory: string, prefix: string, parent = ''): AsyncGenerator<string> {
  for (const { text, isObject, path } of await readEntries(directory, parent)) {
    if (isObject) {
      if (text.startsWith(prefix)) yield text;
    } else if (text.startsWith(prefix) || prefix.startsWith(text)) {
      yield* listKeys(path, prefix, text);
    }
  }
}

/** Lists objects in key order. @param onUnreadable called for each object that is skipped */
export async function* listObjects(
  layout: FileStoreLayout,
  prefix: string,
  onUnreadable: (key: string, error: StoreUnavailableError) => void,
): AsyncGenerator<ObjectInfo> {
  for await (const key of listKeys(layout.objectsDirectory, prefix)) {
    const record = await undefinedIfStoreUnavailable(readObjectRecord(layout.recordPath(key)), (error) =>
      onUnreadable(key, error),
    );
    if (record) yield toObjectInfo(record);
  }
}
