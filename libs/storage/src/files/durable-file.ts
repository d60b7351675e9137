import { type FileHandle, open } from 'node:fs/promises';

export const FILE_MODE = 0o600;

/**
 * Bytes that wait in memory while others are written. Half a mebibyte let whoever makes a long transcript run far ahead
 * of the disk, and its garbage pile up.
 */
const MAX_PENDING_BYTES = 128 * 1024;
/** Bytes after which the disk begins with them while more come, so that little is left for the end. */
const SYNC_THRESHOLD_BYTES = 32 * 1024 * 1024;
/** Files of this process that do so at once: each takes a thread of the few that Node has for all its files. */
const MAX_CONCURRENT_SYNCS = 2;

let activeSyncs = 0;

/**
 * A new file that is written while its bytes come: whoever has them goes on, and waits only when the disk falls behind.
 * What waits is written as soon as what came before it is, so a slow sender's bytes do not lie in memory.
 */
export class DurableFile {
  private pendingChunks: Uint8Array[] = [];
  private pendingBytes = 0;
  private unsyncedBytes = 0;
  /** Ends when nothing waits; never fails. */
  private draining: Promise<void> | null = null;
  private currentWrite: Promise<void> = Promise.resolve();
  private syncing: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;

  private constructor(private readonly handle: FileHandle) {}

  /** @throws EEXIST of the file system when there is one */
  static async create(path: string): Promise<DurableFile> {
    return new DurableFile(await open(path, 'wx', FILE_MODE));
  }

  /** Takes the next bytes, which nobody may change from then on. Throws what an earlier write threw. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.failure) throw this.failure.error;
    this.pendingChunks.push(bytes);
    this.pendingBytes += bytes.byteLength;
    this.draining ??= this.writePending();
    if (this.pendingBytes >= MAX_PENDING_BYTES) await this.currentWrite;
  }

  /** Resolves when all of it is on the disk, and the file closed. */
  async syncAndClose(): Promise<void> {
    await this.waitUntilIdle();
    if (this.failure) throw this.failure.error;
    await this.handle.datasync();
    await this.handle.close();
  }

  /** Closes the file as it is. */
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
      // The system tells a failure once: the sync at the end may know nothing of it.
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => {
        activeSyncs -= 1;
        this.syncing = null;
      });
  }
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  // Of a disk that is nearly full a part: the rest finds out why.
  if (bytesWritten < bytes) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
