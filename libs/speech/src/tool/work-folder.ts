import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders are named after the process they belong to, for the next one to tell what was left. */
export function workFolderPrefix(pid = process.pid, host = hostname()): string {
  return `zephyr-work-${host.replaceAll(/[^A-Za-z0-9.]/g, '_')}-${pid}-`;
}

/** A new folder of this process, for whoever made it to remove. All work on audio is done in such folders. */
export function makeWorkFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), workFolderPrefix()));
}

/** For files in a folder that a program has had: what it left there under that name, be it a link, is not followed. */
export const NEW_FILE = { flag: 'wx' } as const;
