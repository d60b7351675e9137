import { type FileHandle, open } from 'node:fs/promises';

export const FILE_MODE = 0o600;

/**
 * Bytes that wait in memory while others are written. Half a mebibyte let whoever makes a long transcript run far ahead
 * of the disk, and its garbage pile up.
 */
const MOST_WAITING = 128 * 1024;
/** Bytes after which the disk begins with them while more come, so that little is left for the end. */
const SYNC_BYTES = 32 * 1024 * 1024;
/** Files of this process that do so at once: each takes a thread of the few that Node has for all its files. */
const MOST_SYNCING = 2;

let syncing = 0;

/**
 * A new file that is written while its bytes come: whoever has them goes on, and waits only when the disk falls behind.
 * What waits is written as soon as what came before it is, so a slow sender's bytes do not lie in memory.
 */
export class DurableFile {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private unsyncedBytes = 0;
  /** Ends when nothing waits; never fails. */
  private draining: Promise<void> | null = null;
  private writing: Promise<void> = Promise.resolve();
  private syncing: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;

  private constructor(private readonly handle: FileHandle) {}

  /** @throws EEXIST of the file system when there is one */
  static async create(path: string): Promise<DurableFile> {
    return new DurableFile(await open(path, 'wx', FILE_MODE));
  }

  /** Takes the next bytes, which nobody may change from then on. Throws what an earlier write threw. */
  async add(bytes: Uint8Array): Promise<void> {
    if (this.failure) throw this.failure.error;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.byteLength;
    this.draining ??= this.drain();
    if (this.waitingBytes >= MOST_WAITING) await this.writing;
  }

  /** Resolves when all of it is on the disk, and the file closed. */
  async finish(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure.error;
    await this.handle.datasync();
    await this.handle.close();
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    await this.settled();
    await this.handle.close().catch(() => undefined);
  }

  private async settled(): Promise<void> {
    await this.draining;
    await this.syncing;
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const [chunks, bytes] = [this.waiting, this.waitingBytes];
        this.waiting = [];
        this.waitingBytes = 0;
        this.writing = writeAll(this.handle, chunks, bytes);
        await this.writing;
        this.unsyncedBytes += bytes;
        this.syncAhead();
      }
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.draining = null;
    }
  }

  private syncAhead(): void {
    if (this.unsyncedBytes < SYNC_BYTES || this.syncing || syncing >= MOST_SYNCING) return;
    this.unsyncedBytes = 0;
    syncing += 1;
    this.syncing = this.handle
      .datasync()
      // The system tells a failure once: the sync at the end may know nothing of it.
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => {
        syncing -= 1;
        this.syncing = null;
      });
  }
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  // Of a disk that is nearly full a part: the rest finds out why.
  if (bytesWritten < bytes) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
