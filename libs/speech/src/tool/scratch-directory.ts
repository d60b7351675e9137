import { constants } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let scratchRoot: string | null = null;

/** @param folder exists; null for the temporary directory */
export function setScratchRoot(folder: string | null): void {
  scratchRoot = folder;
}

/** The caller must remove it. */
export function createScratchDirectory(): Promise<string> {
  return mkdtemp(join(scratchRoot ?? tmpdir(), 'zephyr-work-'));
}

/** `ENOSPC` or `EDQUOT`, also of a cause; else null. */
export function findDiskFullCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? code : findDiskFullCode(error.cause);
}

/** For folders that a program could write to: does not follow a link that it may have left. */
export const EXCLUSIVE_CREATE_OPTIONS = { flag: 'wx' } as const;

/**
 * Does not follow links (`ELOOP`); a pipe reads as empty.
 * @throws file system errors; Error when the file is longer than `maxBytes`
 */
export async function readUntrustedFile(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, maxBytes + 1));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes.`);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
