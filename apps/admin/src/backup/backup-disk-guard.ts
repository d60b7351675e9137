import { stat } from 'node:fs/promises';
import { readDiskSpaceAndReserve } from '@app/storage';

/** How much may be written between two looks at the disk. */
const CHECK_INTERVAL_BYTES = 16 * 2 ** 20;

export interface ServiceDiskReserve {
  dataDir: string;
  /** `DISK_RESERVE_BYTES` */
  reserveBytes: number;
}

/** The service, with an embedded database, must go on writing to the disk. Its code is that of a full disk. */
export class DiskReserveReachedError extends Error {
  override readonly name = 'DiskReserveReachedError';
  readonly code = 'ENOSPC';
}

/** Ends the writing of a backup before it takes the last space of the disk on which the service has its files. */
export class BackupDiskGuard {
  private bytesUntilCheck = 0;

  private constructor(
    private readonly path: string,
    /** Null on a disk of its own, which may be filled. */
    private readonly reserveBytes: number | null,
  ) {}

  /** @param path existing folder of the backup */
  static async open(path: string, service?: ServiceDiskReserve): Promise<BackupDiskGuard> {
    if (service === undefined) return new BackupDiskGuard(path, null);
    const findDevice = (folder: string) =>
      stat(folder).then(
        ({ dev }) => dev,
        () => null,
      );
    const isShared = (await findDevice(path)) === (await findDevice(service.dataDir));
    return new BackupDiskGuard(path, isShared ? service.reserveBytes : null);
  }

  /** Passes the pieces on. @throws DiskReserveReachedError */
  async *guard<T extends Buffer | string>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      await this.assertRoomFor(piece.length);
      yield piece;
    }
  }

  private async assertRoomFor(bytes: number): Promise<void> {
    if (this.reserveBytes === null) return;
    this.bytesUntilCheck -= bytes;
    if (this.bytesUntilCheck > 0) return;
    this.bytesUntilCheck = CHECK_INTERVAL_BYTES;
    const { free, reserve } = await readDiskSpaceAndReserve(this.path, this.reserveBytes);
    if (free - CHECK_INTERVAL_BYTES < reserve)
      throw new DiskReserveReachedError(`The disk of ${this.path} has no room beside DISK_RESERVE_BYTES.`);
  }
}
