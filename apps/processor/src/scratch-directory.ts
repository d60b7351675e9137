import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setScratchRoot } from '@app/speech';
import { readProcessStartTicks } from './process-start-ticks.js';

/** A folder of a machine that cannot be asked has been left when nobody has tidied from it for so long. */
const STALE_AFTER_MS = 20 * 60_000;

/** The folder of this process's work. It is named after the process, for the next one to tell what was left. */
export class ScratchDirectory {
  private constructor(
    private readonly base: string,
    readonly path: string,
  ) {}

  /** To be called before the first work, that of an engine included. Throws what the file system says. */
  static async open(base: string): Promise<ScratchDirectory> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    const place = new ScratchDirectory(base, await mkdtemp(join(base, buildDirectoryPrefix())));
    await place.cleanUp();
    setScratchRoot(place.path);
    return place;
  }

  /** Removes what killed processors left beside it, which holds callers' audio, and shows that this one lives. */
  async cleanUp(): Promise<void> {
    const now = new Date();
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await utimes(this.path, now, now);
    for (const name of await readdir(this.base)) {
      const path = join(this.base, name);
      // What belongs to another user is that user's to remove.
      if (path !== this.path && (await isStale(path, name)))
        await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** At the very end of the process. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Of the names of a process's folder. */
export function buildDirectoryPrefix(
  pid = process.pid,
  host = hostname(),
  start = readProcessStartTicks(pid),
): string {
  return `processor-${host.replaceAll(/[^A-Za-z0-9.]/g, '_')}-${pid}-${start}-`;
}

async function isStale(path: string, name: string): Promise<boolean> {
  const [pid, start] = (/^processor-.*-(\d+)-(\d+)-[^-]+$/.exec(name)?.slice(1) ?? []).map(Number);
  if (pid === undefined || start === undefined) return false;
  if (name.startsWith(buildDirectoryPrefix(pid, hostname(), start)))
    return pid === process.pid || !isRunning(pid, start);
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_AFTER_MS;
}

/** Another process may have come by the number of one that was killed; where no start is told, the number has to do. */
function isRunning(pid: number, start: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const told = readProcessStartTicks(pid);
  return told === 0 || told === start;
}
