import { type FileHandle, open } from 'node:fs/promises';

export const FILE_MODE = 0o600;

/**
 * A larger buffer lets the writer of a long transcript run far ahead of the disk and raises garbage
 * collection.
 */
const MAX_PENDING_BYTES = 128 * 1024;
/** A sync starts after each of this many bytes, so that the final sync is short. */
const SYNC_THRESHOLD_BYTES = 32 * 1024 * 1024;
/** Each sync blocks one of the few threads of libuv. */
const MAX_CONCURRENT_SYNCS = 2;

let activeSyncs = 0;

/** A new file whose writes are buffered; `write` waits only when the disk is slower than the sender. */
export class DurableFileWriter {
  private pendingChunks: Uint8Array[] = [];
  private pendingBytes = 0;
  private unsyncedBytes = 0;
  /** Never rejects. */
  private draining: Promise<void> | null = null;
  private currentWrite: Promise<void> = Promise.resolve();
  private syncing: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;

  private constructor(private readonly handle: FileHandle) {}

  /** @throws EEXIST */
  static async create(path: string): Promise<DurableFileWriter> {
    return new DurableFileWriter(await open(path, 'wx', FILE_MODE));
  }

  /** The bytes must not be changed afterwards. @throws the error of an earlier write */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.failure) throw this.failure.error;
    this.pendingChunks.push(bytes);
    this.pendingBytes += bytes.byteLength;
    this.draining ??= this.writePending();
    if (this.pendingBytes >= MAX_PENDING_BYTES) await this.currentWrite;
  }

  /** Resolves when all bytes are on disk. */
  async syncAndClose(): Promise<void> {
    await this.waitUntilWritten();
    await this.handle.datasync();
    await this.handle.close();
  }

  /** Resolves when all bytes are written. A power failure may still lose them. */
  async closeWithoutSync(): Promise<void> {
    await this.waitUntilWritten();
    await this.handle.close();
  }

  private async waitUntilWritten(): Promise<void> {
    await this.waitUntilIdle();
    if (this.failure) throw this.failure.error;
  }

  async abort(): Promise<void> {
    await this.waitUntilIdle();
    await this.handle.close().catch(() => undefined);
  }

  private async waitUntilIdle(): Promise<void> {
    await this.draining;
    await this.syncing;
  }

  private async writePending(): Promise<void> {
    try {
      while (this.pendingChunks.length > 0) {
        const [chunks, bytes] = [this.pendingChunks, this.pendingBytes];
        this.pendingChunks = [];
        this.pendingBytes = 0;
        this.currentWrite = writeAll(this.handle, chunks, bytes);
        await this.currentWrite;
        this.unsyncedBytes += bytes;
        this.syncInBackground();
      }
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.draining = null;
    }
  }

  private syncInBackground(): void {
    if (this.unsyncedBytes < SYNC_THRESHOLD_BYTES || this.syncing || activeSyncs >= MAX_CONCURRENT_SYNCS)
      return;
    this.unsyncedBytes = 0;
    activeSyncs += 1;
    this.syncing = this.handle
      .datasync()
      // The system reports a failure once, so the final sync may not report it.
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => {
        activeSyncs -= 1;
        this.syncing = null;
      });
  }
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  // A nearly full disk writes a part; writing the rest throws the error.
  if (bytesWritten < bytes) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
