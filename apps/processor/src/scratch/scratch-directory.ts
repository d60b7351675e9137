import { rmSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setScratchRoot } from '@app/speech';

/** A directory of another host is abandoned when it has not been touched for this long. */
const STALE_AFTER_MS = 20 * 60_000;

/** The name contains the process, so that a later process can detect abandoned directories. */
export class ScratchDirectory {
  private constructor(
    private readonly base: string,
    readonly path: string,
  ) {}

  /** Call it before any work, including that of an engine. @throws the error of the file system */
  static async open(base: string): Promise<ScratchDirectory> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    const scratch = new ScratchDirectory(base, await mkdtemp(join(base, buildScratchDirectoryPrefix())));
    await scratch.cleanUp();
    setScratchRoot(scratch.path);
    return scratch;
  }

  /** Directories of killed processors contain audio of callers. */
  async cleanUp(): Promise<void> {
    const now = new Date();
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await utimes(this.path, now, now);
    for (const name of await readdir(this.base)) {
      const path = join(this.base, name);
      // Directories of another user are left to that user.
      if (path !== this.path && (await isStale(path, name)))
        await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Call it at the very end of the process. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function buildScratchDirectoryPrefix(
  pid = process.pid,
  host = hostname(),
  start = readProcessStartTicks(pid),
): string {
  return `processor-${host.replaceAll(/[^A-Za-z0-9.]/g, '_')}-${pid}-${start}-`;
}

async function isStale(path: string, name: string): Promise<boolean> {
  const [pid, start] = (/^processor-.*-(\d+)-(\d+)-[^-]+$/.exec(name)?.slice(1) ?? []).map(Number);
  if (pid === undefined || start === undefined) return false;
  if (name.startsWith(buildScratchDirectoryPrefix(pid, hostname(), start)))
    return pid === process.pid || !isRunning(pid, start);
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_AFTER_MS;
}

/** Process ids are reused, so the start time is compared too, where the system provides it. */
function isRunning(pid: number, start: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const currentStart = readProcessStartTicks(pid);
  return currentStart === 0 || currentStart === start;
}

/** Index among the fields after the program name, which may contain any character. */
const START_TIME_FIELD = 19;

/** Clock ticks since boot; 0 on systems other than Linux and for an unknown process. */
export function readProcessStartTicks(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(line.slice(line.lastIndexOf(') ') + 2).split(' ')[START_TIME_FIELD] ?? 0);
  } catch {
    return 0;
  }
}
