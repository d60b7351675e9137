import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Name of the folder in which a pull gathers the files of a model. */
export function pullFolderName(name: string): string {
  return `.${name}.pull`;
}

/** Those of the names in the folder of all models that removals of this one left when they were cut. */
export function findRemovalLeftovers(names: readonly string[], name: string): string[] {
  const prefix = `.${name}.removed.`;
  return names.filter((found) => found.startsWith(prefix) && UUID.test(found.slice(prefix.length)));
}

/**
 * Deletes a model, and what unfinished pulls and removals of it left. It is gone at once, however long the deletion
 * takes. To be called under the lock of pulls. Throws what the file system says; then the model is still there.
 */
export async function removeModel(folder: string, name: string): Promise<void> {
  const aside = join(folder, `.${name}.removed.${randomUUID()}`);
  await rename(join(folder, name), aside).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await deleteRemovalLeftovers(folder, name);
  await rm(join(folder, pullFolderName(name)), { recursive: true, force: true });
}

/** Deletes what removals of the model left that were cut. To be called under the lock of pulls. */
export async function deleteRemovalLeftovers(folder: string, name: string): Promise<void> {
  for (const left of findRemovalLeftovers(await readdir(folder), name))
    await rm(join(folder, left), { recursive: true, force: true });
}
