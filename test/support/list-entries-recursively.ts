import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lists all entries below a folder. A subfolder that is removed meanwhile is omitted; Node's recursive listing fails.
 * @throws Error with code ENOENT if the folder itself does not exist
 */
export async function listEntriesRecursively(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const deeper = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => listEntriesRecursively(join(folder, entry.name)).catch(emptyIfMissing));
  return [...entries, ...(await Promise.all(deeper)).flat()];
}

function emptyIfMissing(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
