import { readDiskSpaceAndReserve } from '@app/storage';

export interface DiskReserve {
  bytes: number;
  /** Share of the reserve that may be used. */
  usableShare: number;
}

/**
 * Fails like a write to a full disk before anything is written, so that repeated attempts do not fill the disk again and again.
 * @param folder on the disk
 * @throws Error with the code `ENOSPC` if these bytes do not fit beside the reserve
 */
export async function assertDiskHasRoom(folder: string, bytes: number, kept: DiskReserve): Promise<void> {
  const space = await readDiskSpaceAndReserve(folder, kept.bytes).catch(() => null);
  // A disk that cannot be examined is for those to report who write to it.
  if (space === null || bytes <= space.free - space.reserve * (1 - kept.usableShare)) return;
  const message = `${folder} has no room for ${bytes} bytes beside DISK_RESERVE_BYTES.`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}
