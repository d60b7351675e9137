import { constants } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let scratchRoot: string | null = null;

/** Where this process makes its work folders from now on: a folder that is there, or the temporary one for null. */
export function setScratchRoot(folder: string | null): void {
  scratchRoot = folder;
}

/** A new folder, for whoever made it to remove. All work on audio is done in such folders. */
export function createScratchDirectory(): Promise<string> {
  return mkdtemp(join(scratchRoot ?? tmpdir(), 'zephyr-work-'));
}

/** The code of an error that is, or comes of, a full disk; null of any other. */
export function diskFullCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? code : diskFullCode(error.cause);
}

/** For files in a folder that a program has had: what it left there under that name, be it a link, is not followed. */
export const CREATE_EXCLUSIVE = { flag: 'wx' } as const;

/**
 * The text of a file that a program was to leave in its folder, whatever it left under that name: a link is not followed,
 * and a pipe is not waited for, but empty. Throws what the file system says, `ELOOP` of a link, and an error when it is
 * longer than it may be.
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
