import { ServiceError } from '@app/errors';
import { readDiskSpaceAndReserve } from '@app/storage';

const MAX_AGE_MS = 1_000;
/** Of all bodies together. */
const MAX_BYTES_BETWEEN_READINGS = 64 * 2 ** 20;
const RETRY_AFTER_SECONDS = 30;

export interface FreeDiskSpaceCheckOptions {
  /** A folder on the disk; null accepts everything. */
  folder: string | null;
  /** Of the reserve. */
  bytes: number;
}

/** Keeps audio from filling the disk on which the database, the queue and the log may have to write, too. */
export class FreeDiskSpaceCheck {
  private readAt = -Infinity;
  private writtenSinceReading = 0;
  /** Bytes that are free beside the reserve. */
  private reading = Promise.resolve(Infinity);

  constructor(
    private readonly options: FreeDiskSpaceCheckOptions,
    private readonly readSpace = readDiskSpaceAndReserve,
  ) {}

  /**
   * @param bytes that are about to be written; 0 if their number is not known
   * @throws ServiceError `service_unavailable` unless the reserve stays free
   */
  async assertFree(bytes = 0): Promise<void> {
    const { folder } = this.options;
    if (folder !== null && this.isOutdated()) {
      this.readAt = performance.now();
      this.writtenSinceReading = 0;
      this.reading = this.readFreeBytes(folder);
    }
    if (bytes <= (await this.reading)) return;
    throw new ServiceError('service_unavailable', {
      detail: 'The disk of the service has no room for this audio now.',
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }

  /** @returns the body, which fails like `assertFree` when only the reserve is left */
  async *keepReserve(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.writtenSinceReading += chunk.byteLength;
      await this.assertFree();
      yield chunk;
    }
  }

  private isOutdated(): boolean {
    return (
      performance.now() - this.readAt >= MAX_AGE_MS || this.writtenSinceReading >= MAX_BYTES_BETWEEN_READINGS
    );
  }

  private async readFreeBytes(folder: string): Promise<number> {
    const space = await this.readSpace(folder, this.options.bytes).catch(() => null);
    // A disk that cannot be examined is for those to report who write to it.
    return space === null ? Infinity : space.free - space.reserve;
  }
}
