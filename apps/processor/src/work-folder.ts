import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkFolder, workFolderPrefix } from '@app/speech';

/** Gives the work a folder of its own that is gone when it ends, however it ends. */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeWorkFolder();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what processors that were killed left on this machine, their engines' folders among it: it holds callers'
 * audio. To be called before the first work, that of an engine included, when a folder with this process's own number can only be that of an earlier one.
 */
export async function removeLeftFolders(base = tmpdir()): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(/^zephyr-work-.*-(\d+)-[^-]+$/.exec(name)?.[1]);
    const left = name.startsWith(workFolderPrefix(pid)) && (pid === process.pid || !isRunning(pid));
    // What belongs to another user is that user's to remove.
    if (left) await rm(join(base, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
