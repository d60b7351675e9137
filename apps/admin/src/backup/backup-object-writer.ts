import { open, type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { type ObjectInfo, ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { forEachConcurrently } from '@app/async';
import type { BackupDisk } from './backup-disk.js';
import type { BackupFolder } from './backup-folder.js';
import type { BackupManifest } from './backup-manifest.js';
import {
  type FileSizeAndChecksum,
  computeFileSizeAndChecksum,
  writeFileReturningChecksum,
} from './file-checksum.js';
import type { ObjectKeyWithRequiredFlag, ObjectListEntry } from './object-list.js';
import type { ProgressLog } from './progress-log.js';

const CONCURRENCY = 4;
/** An object that is replaced during a read is read again. */
const MAX_READS = 5;

/** Copies objects into the backup, and lists them in `objects.jsonl`. Created by `open`; call `close` also on failure. */
export class BackupObjectWriter {
  private readonly copied = { count: 0, total_bytes: 0, missing: 0 };
  /** The first 20 keys that the store lacks. */
  readonly missingKeys: string[] = [];

  private constructor(
    private readonly store: ObjectStore,
    private readonly folder: BackupFolder,
    private readonly disk: BackupDisk,
    private readonly list: FileHandle,
    private readonly progress: ProgressLog,
  ) {}

  static async open(
    store: ObjectStore,
    folder: BackupFolder,
    disk: BackupDisk,
    progress: ProgressLog,
  ): Promise<BackupObjectWriter> {
    const list = await open(folder.objectListPath, 'wx', 0o600);
    return new BackupObjectWriter(store, folder, disk, list, progress);
  }

  /** @param stop checked between objects; its reason is thrown */
  async copy(needed: AsyncIterable<ObjectKeyWithRequiredFlag>, stop: AbortSignal): Promise<void> {
    await forEachConcurrently(needed, CONCURRENCY, async (object) => {
      stop.throwIfAborted();
      await this.copyOne(object);
      this.progress.report(`${this.copied.count} objects, ${this.copied.total_bytes} bytes`);
    });
  }

  /** @returns the counts, and the checksum of `objects.jsonl` */
  async finish(): Promise<BackupManifest['objects']> {
    await this.list.sync();
    return { ...(await computeFileSizeAndChecksum(this.folder.objectListPath)), ...this.copied };
  }

  async close(): Promise<void> {
    await this.list.close();
  }

  private async copyOne({ key, isRequired }: ObjectKeyWithRequiredFlag): Promise<void> {
    const found = await this.read(key);
    if (found === null) {
      if (!isRequired) return;
      this.copied.missing += 1;
      if (this.missingKeys.length < 20) this.missingKeys.push(key);
      return this.appendEntry({ key, missing: true });
    }
    this.copied.count += 1;
    this.copied.total_bytes += found.file.bytes;
    const { etag, contentType } = found.info;
    const { bytes, sha256 } = found.file;
    await this.appendEntry({ key, size: bytes, content_type: contentType, etag, sha256 });
  }

  /** Reads again until size and etag belong to the bytes that were read. @returns null if it is missing */
  private async read(key: string): Promise<{ info: ObjectInfo; file: FileSizeAndChecksum } | null> {
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      const before = await this.store.head(key);
      const body = before && (await this.store.get(key).catch(nullIfMissing));
      if (!before || !body) return null;
      const path = this.folder.objectPath(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A file that cannot be created leaves the body unread, and its source open.
      const pieces = this.disk.guard(body as AsyncIterable<Buffer>);
      const file = await writeFileReturningChecksum(path, pieces).finally(() => body.destroy());
      const after = await this.store.head(key);
      if (after === null || (after.etag === before.etag && before.size === file.bytes))
        return { info: before, file };
      await rm(path);
    }
    throw new Error(`Object ${key} was replaced again and again while it was read.`);
  }

  private async appendEntry(line: ObjectListEntry): Promise<void> {
    await this.list.appendFile(`${JSON.stringify(line)}\n`);
  }
}

function nullIfMissing(error: unknown): Readable | null {
  if (error instanceof ObjectNotFoundError) return null;
  throw error;
}
