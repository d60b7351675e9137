import { open, type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { type ObjectInfo, ObjectMissing, type ObjectStore } from '@app/storage';
import { atOnce } from './at-once.js';
import type { BackupFolder } from './backup-folder.js';
import { type FileSummary, hashFile, writeHashed } from './hashed-file.js';
import { type NeededObject } from './needed-objects.js';
import type { ObjectLine } from './object-list.js';
import type { Progress } from './progress.js';

const AT_ONCE = 4;
/** An object that is replaced while it is read is read again. */
const READS = 5;

export interface CopiedObjects {
  count: number;
  total_bytes: number;
  missing: number;
}

/** Copies objects into the backup, and writes a line for each. Made with `open`. */
export class ObjectWriter {
  readonly copied: CopiedObjects = { count: 0, total_bytes: 0, missing: 0 };
  /** The first keys that the store did not have. */
  readonly missingKeys: string[] = [];

  private constructor(
    private readonly store: ObjectStore,
    private readonly folder: BackupFolder,
    private readonly list: FileHandle,
    private readonly progress: Progress,
  ) {}

  static async open(store: ObjectStore, folder: BackupFolder, progress: Progress): Promise<ObjectWriter> {
    return new ObjectWriter(store, folder, await open(folder.objectList, 'wx', 0o600), progress);
  }

  /** @param stop ends it with its reason, between two objects */
  async copy(needed: AsyncIterable<NeededObject>, stop: AbortSignal): Promise<void> {
    await atOnce(needed, AT_ONCE, async (object) => {
      stop.throwIfAborted();
      await this.copyOne(object);
      this.progress.say(`${this.copied.count} objects, ${this.copied.total_bytes} bytes`);
    });
  }

  /** What the list says of itself, once it is on disk. */
  async close(): Promise<FileSummary> {
    await this.list.sync();
    await this.list.close();
    return hashFile(this.folder.objectList);
  }

  private async copyOne({ key, isRequired }: NeededObject): Promise<void> {
    const found = await this.read(key);
    if (found === null) {
      if (!isRequired) return;
      this.copied.missing += 1;
      if (this.missingKeys.length < 20) this.missingKeys.push(key);
      return this.note({ key, missing: true });
    }
    this.copied.count += 1;
    this.copied.total_bytes += found.file.bytes;
    const { etag, contentType } = found.info;
    const { bytes, sha256 } = found.file;
    await this.note({ key, size: bytes, content_type: contentType, etag, sha256 });
  }

  /** One version of the object, with what the store says of that very version. @returns null when it is missing */
  private async read(key: string): Promise<{ info: ObjectInfo; file: FileSummary } | null> {
    for (let attempt = 0; attempt < READS; attempt += 1) {
      const before = await this.store.head(key);
      const body = before && (await this.store.get(key).catch(nullIfMissing));
      if (!before || !body) return null;
      const path = this.folder.object(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await writeHashed(path, body as AsyncIterable<Buffer>);
      const after = await this.store.head(key);
      if (after === null || (after.etag === before.etag && before.size === file.bytes))
        return { info: before, file };
      await rm(path);
    }
    throw new Error(`Object ${key} was replaced again and again while it was read.`);
  }

  private async note(line: ObjectLine): Promise<void> {
    await this.list.appendFile(`${JSON.stringify(line)}\n`);
  }
}

function nullIfMissing(error: unknown): Readable | null {
  if (error instanceof ObjectMissing) return null;
  throw error;
}
