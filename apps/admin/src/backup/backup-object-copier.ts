import { open, type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type ObjectInfo, ObjectNotFoundError, type ObjectStore, StoreUnavailableError } from '@app/storage';
import { forEachConcurrently } from '@app/async';
import type { BackupDiskGuard } from './backup-disk-guard.js';
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
/** For how long an object is tried again while the store is unavailable, without the time of the requests. */
const MAX_PAUSES_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** @throws if the signal is aborted */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

interface BackupObjectCopierOptions {
  disk: BackupDiskGuard;
  progress: ProgressLog;
  /** Default: a timer. */
  wait?: Wait;
}

/** Copies objects into the backup, and lists them in `objects.jsonl`. Created by `open`; call `close` also on failure. */
export class BackupObjectCopier {
  private readonly copied = { count: 0, total_bytes: 0, missing: 0 };
  /** The first 20 keys that the store lacks. */
  readonly missingKeys: string[] = [];

  private constructor(
    private readonly store: ObjectStore,
    private readonly folder: BackupFolder,
    private readonly list: FileHandle,
    private readonly options: BackupObjectCopierOptions,
  ) {}

  static async open(
    store: ObjectStore,
    folder: BackupFolder,
    options: BackupObjectCopierOptions,
  ): Promise<BackupObjectCopier> {
    const list = await open(folder.objectListPath, 'wx', 0o600);
    return new BackupObjectCopier(store, folder, list, options);
  }

  /** @param stop checked between objects and during the pauses between repetitions */
  async copy(needed: AsyncIterable<ObjectKeyWithRequiredFlag>, stop: AbortSignal): Promise<void> {
    await forEachConcurrently(needed, CONCURRENCY, async (object) => {
      stop.throwIfAborted();
      await this.copyOne(object, stop);
      this.options.progress.report(`${this.copied.count} objects, ${this.copied.total_bytes} bytes`);
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

  private async copyOne({ key, isRequired }: ObjectKeyWithRequiredFlag, stop: AbortSignal): Promise<void> {
    const found = await this.readWhenAvailable(key, stop);
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

  /** A backup of hours does not end because the store fails for a moment. @throws StoreUnavailableError after minutes */
  private async readWhenAvailable(key: string, stop: AbortSignal) {
    const { progress, wait = waitUnlessAborted } = this.options;
    let waited = 0;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
      try {
        return await this.read(key);
      } catch (error) {
        await rm(this.folder.objectPath(key), { force: true });
        if (!(error instanceof StoreUnavailableError) || waited + ms > MAX_PAUSES_MS) throw error;
      }
      progress.startStep(`  The object store is not available: ${key} is read again in ${ms / 1_000} s ...`);
      await wait(ms, stop);
      waited += ms;
    }
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
      const pieces = this.options.disk.guard(passOnAsStoreErrors(body));
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

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Errors of the body, unlike those of the file, are failures of the store. */
async function* passOnAsStoreErrors(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    throw new StoreUnavailableError('The object store interrupted an object.', { cause: error });
  }
}

function nullIfMissing(error: unknown): Readable | null {
  if (error instanceof ObjectNotFoundError) return null;
  throw error;
}
