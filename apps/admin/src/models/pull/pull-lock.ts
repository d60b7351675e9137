import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** A pull that did not touch its file for so long is gone. */
const STALE_MS = 15_000;
const POLL_MS = 250;

/**
 * Does the work while nobody else does work under this lock, in any process that sees the same folder. Another's end
 * is waited for; `waiting` is called once when that is so.
 */
export async function withPullLock<T>(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let looks = 0; !(await tryAcquire(path)); looks += 1) {
    if (looks === 0) onWait();
    await removeStale(path);
    await wait(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  const beat = setInterval(() => void touch(path), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
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

/** Of several who find it stale, one moves it away. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found || Date.now() - found.mtimeMs < STALE_MS) return;
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).then(
    () => rm(aside),
    () => undefined,
  );
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}
