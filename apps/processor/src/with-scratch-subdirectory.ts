import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DependencyUnavailableError } from '@app/jobs';
import { reasonOf } from '@app/runtime';
import { createScratchDirectory, diskFullCode } from '@app/speech';
import { StoreUnavailable } from '@app/storage';

/**
 * Gives the work a folder of its own that is gone when it ends, however it ends.
 * @throws DependencyUnavailableError when this machine can have no such folder, or no room in it
 */
export async function withScratchSubdirectory<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await createScratchDirectory().catch((error: unknown) => {
    throw dependencyUnavailable(`This machine has no folder to work in (${reasonOf(error)}).`, error);
  });
  try {
    return await work(folder);
  } catch (error) {
    // The disk of the store is not of this machine.
    const code = error instanceof StoreUnavailable ? null : diskFullCode(error);
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
