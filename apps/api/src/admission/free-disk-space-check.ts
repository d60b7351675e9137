import { ServiceError } from '@app/errors';
import { readDiskSpaceAndReserve } from '@app/storage';

const MAX_AGE_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

export interface FreeDiskSpaceCheckOptions {
  /** A folder on the disk; null accepts everything. */
  folder: string | null;
  bytes: number;
}

/** Keeps audio from filling the disk on which the database, the queue and the log may have to write, too. */
export class FreeDiskSpaceCheck {
  private checkedAt = -Infinity;
  private isFree = true;

  constructor(private readonly options: FreeDiskSpaceCheckOptions) {}

  /** @throws ServiceError `service_unavailable` */
  async assertFree(): Promise<void> {
    const { folder } = this.options;
    if (folder !== null && performance.now() - this.checkedAt >= MAX_AGE_MS) {
      this.checkedAt = performance.now();
      this.isFree = await this.hasReserve(folder);
    }
    if (this.isFree) return;
    throw new ServiceError('service_unavailable', {
      detail: 'The disk of the service is almost full, so it takes no audio now.',
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }

  private async hasReserve(folder: string): Promise<boolean> {
    const { free, reserve } = await readDiskSpaceAndReserve(folder, this.options.bytes);
    return free >= reserve;
  }
}
