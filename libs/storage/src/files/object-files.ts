import { rm, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../object-store.js';
import { makeDirectory, moveInto, replaceFile, syncDirectory } from './durable.js';
import { errorCode, isMissing, unlessMissing } from './fs-errors.js';
import { KeyedLock } from './keyed-lock.js';
import type { Layout } from './layout.js';
import { type ObjectRecord, readRecord } from './object-record.js';
import { openPieces } from './pieces.js';

/** A directory may be tidied away, or an object replaced, between two steps; another process can do it again. */
const ATTEMPTS = 8;

/** Data that is complete and on disk, not yet an object. */
export interface StagedData {
  /** File or directory on the file system of the store. */
  path: string;
  /** Under which id it will lie beside its record. */
  id: string;
  pieces: { name: string | null; size: number }[];
  etag: string;
  contentType: string;
}

/** Objects as records that name their data: made, replaced, opened and removed in steps that each leave a whole object. */
export class ObjectFiles {
  /** Keeps one process tidy; between processes the order of the steps is enough, and the sweep takes what is left. */
  private readonly locks = new KeyedLock();

  constructor(private readonly layout: Layout) {}

  read(key: string): Promise<ObjectRecord | null> {
    return readRecord(this.layout.record(key));
  }

  /** The data moves beside the record first; the record's rename is the moment at which the object changes. */
  commit(key: string, staged: StagedData): Promise<ObjectRecord> {
    return this.locks.run(key, async () => {
      const previous = await this.read(key);
      const target = this.layout.data(key, staged.id);
      await this.moveBeside(key, staged.path, target);
      const record = describe(key, staged, basename(target));
      try {
        await replaceFile(this.layout.record(key), JSON.stringify(record), this.layout.temporary());
      } catch (error) {
        if (staged.path !== target) await rm(target, { force: true });
        throw error;
      }
      if (previous !== null && previous.data !== record.data) await this.removeData(key, previous);
      return record;
    });
  }

  /** Moves data beside the record of its object, which may not exist yet. Fails when the data was deleted meanwhile. */
  async moveBeside(key: string, from: string, to: string): Promise<void> {
    if (from === to) return void (await stat(to));
    for (let attempt = 1; ; attempt += 1) {
      try {
        await makeDirectory(this.layout.directory(key));
        return await moveInto(from, to);
      } catch (error) {
        if (!isMissing(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * @param choose says which bytes of the version are wanted; undefined means all.
   * @returns record and bytes of one version, or null when there is no such object.
   */
  async open(
    key: string,
    choose: (record: ObjectRecord) => ByteRange | undefined,
  ): Promise<{ record: ObjectRecord; bytes: Readable } | null> {
    const directory = this.layout.directory(key);
    const found = await this.withRecord(key, (record) => openPieces(directory, record, choose(record)));
    return found && { record: found.record, bytes: found.result };
  }

  /** Runs work on the data of the current version, again when that was replaced meanwhile. */
  async withRecord<T>(
    key: string,
    work: (record: ObjectRecord) => Promise<T>,
  ): Promise<{ record: ObjectRecord; result: T } | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.read(key);
      if (record === null) return null;
      const result = await unlessMissing(work(record).then((value) => ({ value })));
      if (result !== null) return { record, result: result.value };
    }
    return null;
  }

  /** The record goes first: what is left of a crash is data that nothing names. */
  remove(key: string): Promise<void> {
    return this.locks.run(key, async () => {
      const record = await this.read(key);
      if (record === null) return;
      await unlessMissing(unlink(this.layout.record(key)));
      await unlessMissing(syncDirectory(this.layout.directory(key)));
      await this.removeData(key, record);
      await this.removeEmptyDirectories(this.layout.directory(key));
    });
  }

  private async removeData(key: string, record: ObjectRecord): Promise<void> {
    await rm(this.layout.data(key, record.data.slice(record.data.lastIndexOf('@') + 1)), {
      recursive: true,
      force: true,
    });
  }

  private async removeEmptyDirectories(path: string): Promise<void> {
    for (let directory = path; directory !== this.layout.objects; directory = dirname(directory)) {
      try {
        await rmdir(directory);
      } catch (error) {
        if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return;
        if (!isMissing(error)) throw error;
      }
    }
  }
}

function describe(key: string, staged: StagedData, data: string): ObjectRecord {
  return {
    version: 1,
    key,
    size: staged.pieces.reduce((sum, { size }) => sum + size, 0),
    etag: staged.etag,
    contentType: staged.contentType,
    modifiedAt: new Date().toISOString(),
    data,
    pieces: staged.pieces.map(({ name, size }) => ({ file: name === null ? data : `${data}/${name}`, size })),
  };
}
