import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Bucket } from '../bucket.js';
import { listEntriesRecursively } from '../list-entries-recursively.js';

/** Reads an object store without code of the service. */
export interface StoredObjects {
  listKeys(): Promise<string[]>;
  /** A sentence if the object is missing or differs from its recorded size and checksum, otherwise null. */
  findProblem(key: string): Promise<string | null>;
  /** Leftovers of writes: half-written files, open uploads. */
  listLeftovers(): Promise<string[]>;
}

interface FileRecord {
  size: number;
  etag: string;
  pieces: { file: string }[];
}

const RECORD = '@meta';
/** An object that belongs to no job. */
const INSTALLATION_MARKER = 'zephyr-installation.json';

/** @param root the `objects` folder of a data folder; the service creates no keys with capitals */
export function inspectFileStore(root: string): StoredObjects {
  const list = async (folder: string) => {
    const entries = await listEntriesRecursively(join(root, folder));
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  const objects = join(root, 'objects');
  return {
    listKeys: async () =>
      (await list('objects'))
        .filter((path) => path.endsWith(RECORD))
        .map((path) => path.slice(objects.length + 1, -RECORD.length))
        .filter((key) => key !== INSTALLATION_MARKER),
    findProblem: async (key) => {
      const path = join(objects, `${key}${RECORD}`);
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text === null) return `${key} is missing`;
      const { size, etag, pieces } = JSON.parse(text) as FileRecord;
      const files = pieces.map(({ file }) => createReadStream(join(dirname(path), file)));
      const found = await digest('sha256', ...files);
      // The etag of an object of several pieces is not the hash of its bytes.
      const same = found.size === size && (pieces.length > 1 || found.hash === etag);
      return same ? null : `${key}: ${found.size} bytes, ${found.hash}, recorded ${size}, ${etag}`;
    },
    listLeftovers: async () => [...(await list('tmp')), ...(await list('uploads'))],
  };
}

export function inspectBucket(bucket: Bucket): StoredObjects {
  return {
    listKeys: async () => (await bucket.listKeys()).filter((key) => key !== INSTALLATION_MARKER),
    findProblem: async (key) => {
      const stored = await bucket.openObject(key);
      if (stored === null) return `${key} is missing`;
      const found = await digest('md5', stored.body);
      const same = found.size === stored.size && found.hash === stored.etag;
      return same
        ? null
        : `${key}: ${found.size} bytes, ${found.hash}, recorded ${stored.size}, ${stored.etag}`;
    },
    listLeftovers: () => bucket.listOpenUploads(),
  };
}

async function digest(algorithm: string, ...parts: Readable[]): Promise<{ size: number; hash: string }> {
  const hash = createHash(algorithm);
  let size = 0;
  for (const part of parts) {
    for await (const bytes of part as AsyncIterable<Buffer>) {
      hash.update(bytes);
      size += bytes.length;
    }
  }
  return { size, hash: hash.digest('hex') };
}
