import { constants } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let scratchRoot: string | null = null;

/** Sets the parent of scratch directories for this process: an existing folder, or null for the temporary directory. */
export function setScratchRoot(folder: string | null): void {
  scratchRoot = folder;
}

/** Creates a scratch directory, which the caller must remove. */
export function createScratchDirectory(): Promise<string> {
  return mkdtemp(join(scratchRoot ?? tmpdir(), 'zephyr-work-'));
}

/** `ENOSPC` or `EDQUOT` if the error, or one of its causes, is a full disk; else null. */
export function diskFullCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? code : diskFullCode(error.cause);
}

/** For writing to a folder that a program could write to: does not follow a link that it may have left. */
export const CREATE_EXCLUSIVE = { flag: 'wx' } as const;

/**
 * Reads a file that an untrusted program wrote. Links are not followed (`ELOOP`), and a pipe reads as empty.
 * @throws file system errors; Error when the file is longer than `maxBytes`
 */
export async function readToolOutput(path: string, maxBytes: number): Promise<string> {
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
