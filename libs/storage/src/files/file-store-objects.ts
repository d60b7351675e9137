import { readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../object-store.js';
import {
  createFileIfAbsent,
  createDirectoryBelowRoot,
  renameDurably,
  replaceFileAtomically,
  fsyncDirectory,
  writeAndHashNewFile,
  type WrittenFile,
} from './durable-writes.js';
import { getErrorCode } from '../error-code.js';
import { fileExists, isFileMissingError, nullIfFileMissing, createSweptFileError } from './fs-errors.js';
import { StoreUnavailableError } from '../store-errors.js';
import { KeyedLock } from './keyed-lock.js';
import { type FileStoreLayout, parseFileStoreEntryName, newStorageId } from './file-store-layout.js';
import { type ObjectRecord, readObjectRecord } from './object-record.js';
import { openObjectReadStream } from './read-pieces.js';

/** Other processes may remove a directory or replace an object between two steps. */
const MAX_ATTEMPTS = 8;

/** Complete data on disk that is not an object yet. */
export interface StagedData {
  /** On the file system of the store. */
  path: string;
  /** Id of the data beside its record. */
  id: string;
  pieces: { name: string | null; size: number }[];
  etag: string;
  contentType: string;
  /** False: a power failure may lose or damage it. Default true. */
  isDurable?: boolean;
}

/** Creates, replaces, opens and removes objects in steps that each leave a whole object. */
export class FileStoreObjects {
  /** Within this process only. Between processes the order of the steps suffices. */
  private readonly locks = new KeyedLock();

  constructor(private readonly layout: FileStoreLayout) {}

  /** @throws StoreUnavailableError, rather than null, if the directory of the store is missing */
  async read(key: string): Promise<ObjectRecord | null> {
    const record = await readObjectRecord(this.layout.recordPath(key));
    if (record === null) await this.assertStoreDirectoryExists();
    return record;
  }

  /**
   * A missing directory was deleted or is not mounted, which does not mean that its objects are deleted.
   * @throws StoreUnavailableError
   */
  async assertStoreDirectoryExists(): Promise<void> {
    if ((await nullIfFileMissing(stat(this.layout.objectsDirectory))) === null)
      throw new StoreUnavailableError(
        'The folder of the object store is missing: deleted, or its disk is not mounted.',
      );
  }

  /** Writes the data of a new object. */
  async stage(body: AsyncIterable<Uint8Array>, contentType: string, isDurable = true): Promise<StagedData> {
    const { path, size, sha256 } = await this.writeTemporaryFile(body, isDurable);
    return { path, id: newStorageId(), pieces: [{ name: null, size }], etag: sha256, contentType, isDurable };
  }

  private async writeTemporaryFile(
    body: AsyncIterable<Uint8Array>,
    isDurable: boolean,
  ): Promise<WrittenFile> {
    try {
      return await writeAndHashNewFile(this.layout.newTemporaryPath(), body, isDurable);
    } catch (error) {
      if (isFileMissingError(error)) await this.assertStoreDirectoryExists();
      throw error;
    }
  }

  /** Moves the data first; the rename of the record changes the object. */
  commit(key: string, staged: StagedData): Promise<ObjectRecord> {
    return this.locks.run(key, async () => {
      const previous = await this.read(key);
      const record = await this.discardDataOnFailure(key, staged, async (target) => {
        await this.moveStagedData(key, staged, target);
        const moved = toObjectRecord(key, staged, basename(target));
        await replaceFileAtomically(
          this.layout.recordPath(key),
          JSON.stringify(moved),
          this.layout.newTemporaryPath(),
          staged.isDurable,
        );
        return moved;
      });
      if (previous !== null && previous.data !== record.data) await this.removeData(key, previous);
      await this.removeRecordWithoutData(key, record);
      return record;
    });
  }

  /** As `commit`, but only the first of any number of processes succeeds. @returns whether this call did */
  commitIfAbsent(key: string, staged: StagedData): Promise<boolean> {
    return this.locks.run(key, async () => {
      await this.assertStoreDirectoryExists();
      return this.discardDataOnFailure(key, staged, async (target) => {
        await this.moveStagedData(key, staged, target);
        const isNew = await createFileIfAbsent(
          this.layout.recordPath(key),
          JSON.stringify(toObjectRecord(key, staged, basename(target))),
          this.layout.newTemporaryPath(),
        );
        if (!isNew) await rm(target, { force: true });
        return isNew;
      });
    });
  }

  /** The work may fail when the record is in place already, for example at the sync of its directory. */
  private async discardDataOnFailure<T>(
    key: string,
    staged: StagedData,
    work: (target: string) => Promise<T>,
  ): Promise<T> {
    const target = this.layout.dataPath(key, staged.id);
    try {
      return await work(target);
    } catch (error) {
      if (staged.path !== target) await this.removeUnreferencedFile(key, target).catch(() => undefined);
      throw error;
    }
  }

  private async removeUnreferencedFile(key: string, path: string): Promise<void> {
    if ((await this.read(key))?.data !== basename(path)) await rm(path, { force: true });
  }

  private async moveStagedData(key: string, { path, isDurable }: StagedData, target: string): Promise<void> {
    try {
      await this.moveBesideRecord(key, path, target, isDurable);
    } catch (error) {
      if (path !== target && isFileMissingError(error) && !(await fileExists(path)))
        throw createSweptFileError(error);
      throw error;
    }
  }

  /** The record may not exist yet. Fails if the data was deleted meanwhile. */
  async moveBesideRecord(key: string, from: string, to: string, isDurable = true): Promise<void> {
    if (from === to) return void (await stat(to));
    for (let attempt = 1; ; attempt += 1) {
      try {
        await createDirectoryBelowRoot(
          this.layout.objectsDirectory,
          this.layout.directoryPath(key),
          isDurable,
        );
        return await (isDurable ? renameDurably(from, to) : rename(from, to));
      } catch (error) {
        if (!isFileMissingError(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** @param selectRange selects the range of bytes of the version; undefined means all */
  async open(
    key: string,
    selectRange: (record: ObjectRecord) => ByteRange | undefined,
  ): Promise<{ record: ObjectRecord; bytes: Readable } | null> {
    const directory = this.layout.directoryPath(key);
    const found = await this.withCurrentRecord(key, (record) =>
      openObjectReadStream(directory, record, selectRange(record)),
    );
    return found && { record: found.record, bytes: found.result };
  }

  /** Repeats the work if the data was replaced meanwhile. */
  async withCurrentRecord<T>(
    key: string,
    work: (record: ObjectRecord) => Promise<T>,
  ): Promise<{ record: ObjectRecord; result: T } | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const record = await this.read(key);
      if (record === null) return null;
      const result = await nullIfFileMissing(work(record).then((value) => ({ value })));
      if (result !== null) return { record, result: result.value };
    }
    return null;
  }

  /**
   * If another process deleted the data before the record was written, its deletion counts as the later one.
   */
  private async removeRecordWithoutData(key: string, { data }: ObjectRecord): Promise<void> {
    if ((await nullIfFileMissing(stat(join(this.layout.directoryPath(key), data)))) !== null) return;
    if ((await this.read(key))?.data === data) await this.removeRecord(key);
  }

  /** Includes leftovers of an interrupted deletion. */
  removeWithAllData(key: string): Promise<void> {
    return this.locks.run(key, async () => {
      await this.removeRecord(key);
      const directory = this.layout.directoryPath(key);
      const stem = basename(this.layout.recordPath(key)).slice(0, -'@meta'.length);
      for (const name of (await nullIfFileMissing(readdir(directory))) ?? []) {
        const read = parseFileStoreEntryName(name);
        if (read.kind === 'data' && read.stem === stem) await removeTree(join(directory, name));
      }
      await this.removeEmptyDirectories(directory);
    });
  }

  removeWithCurrentData(key: string): Promise<void> {
    return this.locks.run(key, async () => {
      const record = await this.removeRecord(key);
      if (record === null) return;
      await this.removeData(key, record);
      await this.removeEmptyDirectories(this.layout.directoryPath(key));
    });
  }

  /** Requires that the objects below the prefix were removed. */
  async removeUnreferencedData(prefix: string): Promise<void> {
    if (!prefix.endsWith('/')) return;
    const directory = this.layout.directoryPath(`${prefix}x`);
    for (const { name, parentPath } of await listRecursively(directory)) {
      const read = parseFileStoreEntryName(name);
      if (read.kind !== 'data') continue;
      const isReferenced = (await readObjectRecord(join(parentPath, `${read.stem}@meta`))) !== null;
      if (!isReferenced) await removeTree(join(parentPath, name));
      await this.removeEmptyDirectories(parentPath);
    }
  }

  /** Deletes the record first, so a crash leaves only unreferenced data. */
  private async removeRecord(key: string): Promise<ObjectRecord | null> {
    const record = await this.read(key);
    // Also an empty one, which counts as missing.
    const removal = unlink(this.layout.recordPath(key)).then(() => true);
    if ((await nullIfFileMissing(removal)) === true)
      await nullIfFileMissing(fsyncDirectory(this.layout.directoryPath(key)));
    return record;
  }

  private async removeData(key: string, record: ObjectRecord): Promise<void> {
    await removeTree(this.layout.dataPath(key, record.data.slice(record.data.lastIndexOf('@') + 1)));
  }

  private async removeEmptyDirectories(path: string): Promise<void> {
    for (let directory = path; directory !== this.layout.objectsDirectory; directory = dirname(directory)) {
      try {
        await rmdir(directory);
      } catch (error) {
        if (getErrorCode(error) === 'ENOTEMPTY' || getErrorCode(error) === 'EEXIST') return;
        if (!isFileMissingError(error)) throw error;
      }
    }
  }
}

function toObjectRecord(key: string, staged: StagedData, data: string): ObjectRecord {
  return {
    version: 1,
    key,
    size: staged.pieces.reduce((sum, { size }) => sum + size, 0),
    etag: staged.etag,
    contentType: staged.contentType,
    modifiedAt: new Date().toISOString(),
    ...(staged.isDurable === false && { isDurable: false }),
    data,
    pieces: staged.pieces.map(({ name, size }) => ({ file: name === null ? data : `${data}/${name}`, size })),
  };
}

async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function listRecursively(directory: string) {
  return (await nullIfFileMissing(readdir(directory, { recursive: true, withFileTypes: true }))) ?? [];
}
