import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runInterruptibly } from '../interruption.mjs';
import { UserFacingError } from '../user-facing-error.mjs';

/**
 * Fills a draft of a folder and renames it, so that the folder is complete or missing, also when a signal ends the process.
 *
 * @param {string} folder an absolute path that does not exist
 * @param {(draft: string, signal: AbortSignal) => Promise<void>} fill should reject when the signal aborts
 * @throws UserFacingError if the folder exists or cannot be created
 */
export async function createFolder(folder, fill) {
  const draft = `${folder}.draft-${process.pid}`;
  await assertCreatable(folder);
  await runInterruptibly(async (signal) => {
    try {
      await mkdir(draft, { mode: 0o755 });
      await fill(draft, signal);
      signal.throwIfAborted();
      await rename(draft, folder);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  });
}

/** Creates and deletes the folder, and creates the folders above it. @param {string} folder */
async function assertCreatable(folder) {
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
      throw new UserFacingError(`${folder} already exists. A release needs a new folder.`);
    });
    await rmdir(folder);
  } catch (error) {
    if (error instanceof UserFacingError) throw error;
    throw new UserFacingError(`${folder} cannot be created: ${error.message}`);
  }
}
