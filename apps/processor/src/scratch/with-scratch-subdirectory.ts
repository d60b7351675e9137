import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DependencyUnavailableError } from '@app/jobs';
import { describeError } from '@app/errors';
import { createScratchDirectory, findDiskFullCode } from '@app/speech';
import { StoreUnavailableError } from '@app/storage';

/**
 * Removes the subdirectory, also on failure.
 * @throws DependencyUnavailableError if it cannot be created or the disk is full
 */
export async function withScratchSubdirectory<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await createScratchDirectory().catch((error: unknown) => {
    throw dependencyUnavailable(`This machine has no folder to work in (${describeError(error)}).`, error);
  });
  try {
    return await work(folder);
  } catch (error) {
    // A full disk of the store is not a full disk of this machine.
    const code = error instanceof StoreUnavailableError ? null : findDiskFullCode(error);
    if (code === null) throw error;
    throw dependencyUnavailable(
      `This machine has no room to work in (${code} in ${dirname(folder)}): free some, or set WORK_DIR.`,
      error,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function dependencyUnavailable(message: string, cause: unknown): DependencyUnavailableError {
  return new DependencyUnavailableError(new Error(message, { cause }));
}
