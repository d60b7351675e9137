import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * All entries below a folder, at any depth. Node's recursive listing fails when a folder is removed before it is
 * read; this one omits it. @throws Error with code ENOENT when the folder itself does not exist
 */
export async function listEntriesRecursively(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const deeper = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => listEntriesRecursively(join(folder, entry.name)).catch(nothingIfGone));
  return [...entries, ...(await Promise.all(deeper)).flat()];
}

function nothingIfGone(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
