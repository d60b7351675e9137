import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1_048_576;

/** A file system in memory that a test can fill. */
export interface SmallDisk {
  readonly path: string;
  fill(): Promise<void>;
  /** Undoes `fill`. */
  freeSpace(): Promise<void>;
  /** Remounts it as `ro` or `rw`. */
  remount(options: string): void;
  remove(): Promise<void>;
}

/** Requires root. @returns the disk, or the reason why it cannot be mounted */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | string> {
  const path = await mkdtemp(join(tmpdir(), 'zephyr-disk-'));
  try {
    const size = `size=${mebibytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    await rm(path, { recursive: true });
    const reason = error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : String(error);
    return `a disk of ${mebibytes} MiB cannot be mounted here (${reason})`;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: async () => {
      const file = await open(filler, 'a');
      try {
        for (let step = MIB; step >= 1; step = Math.floor(step / 16))
          await fillWith(file, Buffer.alloc(step));
      } finally {
        await file.close();
      }
    },
    freeSpace: () => rm(filler, { force: true }),
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, path]),
    remove: async () => {
      execFileSync('umount', ['-l', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function fillWith(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
