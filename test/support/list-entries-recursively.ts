import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Everything below a folder, at any depth. Node's own walk fails when somebody removes a folder that it is about to
 * enter; this one leaves out what is gone. @throws Error with code ENOENT when the folder itself is not there
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
