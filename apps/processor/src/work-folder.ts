import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StageWaits } from '@app/jobs';
import { reasonOf } from '@app/runtime';
import { makeWorkFolder, noRoom } from '@app/speech';
import { StoreUnavailable } from '@app/storage';

/**
 * Gives the work a folder of its own that is gone when it ends, however it ends.
 * @throws StageWaits when this machine can have no such folder, or no room in it
 */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeWorkFolder().catch((error: unknown) => {
    throw waits(`This machine has no folder to work in (${reasonOf(error)}).`, error);
  });
  try {
    return await work(folder);
  } catch (error) {
    // The disk of the store is not of this machine.
    const code = error instanceof StoreUnavailable ? null : noRoom(error);
    if (code === null) throw error;
    throw waits(
      `This machine has no room to work in (${code} in ${dirname(folder)}): free some, or set WORK_DIR.`,
      error,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function waits(message: string, cause: unknown): StageWaits {
  return new StageWaits(new Error(message, { cause }));
}
