import { statfs } from 'node:fs/promises';

/** Share of the disk; a small disk would otherwise accept nothing. */
const MAX_RESERVE_SHARE = 1 / 20;

/** In bytes. */
export interface DiskSpaceWithReserve {
  free: number;
  /** What shall stay free of it: the given reserve, at most a twentieth of the disk. */
  reserve: number;
}

/** @param folder on the disk */
export async function readDiskSpaceAndReserve(
  folder: string,
  reserveBytes: number,
): Promise<DiskSpaceWithReserve> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, reserve: Math.min(reserveBytes, blocks * bsize * MAX_RESERVE_SHARE) };
}
