import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** A pull that has not touched its lock file for this long has ended. */
const STALE_MS = 15_000;
const POLL_MS = 250;

/** A lock between processes on the same folder. @param onWait called once if another process holds the lock */
export async function waitForModelLockAndRun<T>(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; !(await tryAcquire(path)); attempt += 1) {
    if (attempt === 0) onWait();
    await removeStale(path);
    await wait(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  const heartbeat = setInterval(() => void touch(path), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
}

async function tryAcquire(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The rename lets only one of several processes remove a stale lock. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found || Date.now() - found.mtimeMs < STALE_MS) return;
  const renamedPath = `${path}.${randomUUID()}`;
  await rename(path, renamedPath).then(
    () => rm(renamedPath),
    () => undefined,
  );
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}
