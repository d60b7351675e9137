import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { workIn } from '@app/speech';

/** A folder of a machine that cannot be asked has been left when nobody has tidied from it for so long. */
const LEFT_MS = 3_600_000;

/** The folder of this process's work. It is named after the process, for the next one to tell what was left. */
export class WorkPlace {
  private constructor(
    private readonly base: string,
    readonly folder: string,
  ) {}

  /** To be called before the first work, that of an engine included. Throws what the file system says. */
  static async open(base: string): Promise<WorkPlace> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    const place = new WorkPlace(base, await mkdtemp(join(base, prefix())));
    await place.tidy();
    workIn(place.folder);
    return place;
  }

  /** Removes what killed processors left beside it, which holds callers' audio, and shows that this one lives. */
  async tidy(): Promise<void> {
    const now = new Date();
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await utimes(this.folder, now, now);
    for (const name of await readdir(this.base)) {
      const path = join(this.base, name);
      // What belongs to another user is that user's to remove.
      if (path !== this.folder && (await isLeft(path, name)))
        await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** At the very end of the process. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Of the names of a process's folder. */
export function prefix(pid = process.pid, host = hostname()): string {
  return `processor-${host.replaceAll(/[^A-Za-z0-9.]/g, '_')}-${pid}-`;
}

async function isLeft(path: string, name: string): Promise<boolean> {
  const pid = Number(/^processor-.*-(\d+)-[^-]+$/.exec(name)?.[1]);
  if (Number.isNaN(pid)) return false;
  if (name.startsWith(prefix(pid))) return pid === process.pid || !isRunning(pid);
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > LEFT_MS;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
