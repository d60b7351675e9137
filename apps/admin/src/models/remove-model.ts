import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueModel } from '@app/speech';
import { waitForModelLockAndRun } from './model-lock.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Name of the folder that collects the files of a model while it is pulled. */
export function buildPullFolderName(name: string): string {
  return `.${name}.pull`;
}

/** Whether an unfinished pull or removal of the model left files in the folder of models. */
export async function hasModelLeftovers(
  folder: string,
  name: string,
  catalogue: readonly CatalogueModel[],
): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (filterRemovalLeftovers(names, name).length > 0) return true;
  return catalogue.some((model) => model.name === name) && names.includes(buildPullFolderName(name));
}

/**
 * Deletes a model and what unfinished pulls and removals left. The model disappears at once, by a rename.
 * @param onWait called when a pull of the model is under way
 * @throws errors of the file system; the model is then still there
 */
export async function removeModel(
  folder: string,
  name: string,
  onWait: () => void = () => undefined,
): Promise<void> {
  await waitForModelLockAndRun(
    join(folder, `.${name}.lock`),
    new AbortController().signal,
    onWait,
    async () => {
      const renamedPath = join(folder, `.${name}.removed.${randomUUID()}`);
      await rename(join(folder, name), renamedPath).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
      await deleteRemovalLeftovers(folder, name);
      await rm(join(folder, buildPullFolderName(name)), { recursive: true, force: true });
    },
  );
}

/** Call it under the pull lock. */
export async function deleteRemovalLeftovers(folder: string, name: string): Promise<void> {
  for (const leftover of filterRemovalLeftovers(await readdir(folder), name))
    await rm(join(folder, leftover), { recursive: true, force: true });
}

function filterRemovalLeftovers(names: readonly string[], name: string): string[] {
  const prefix = `.${name}.removed.`;
  return names.filter((found) => found.startsWith(prefix) && UUID.test(found.slice(prefix.length)));
}
