import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, uploadStateFile, type UploadStateStore } from 'zephyr-client';
import type { CliContext } from '../command.js';
import { getUploadStateFolder } from '../config.js';
import { CommandError } from '../errors.js';
import { getRealPath, isHttpUrl } from '../files/expand-inputs.js';

/** Below 500, but the same create may still succeed. */
const TRANSIENT_STATUSES = new Set([408, 409, 429]);

/**
 * Where the state of an upload is kept, by file, server and options. Standard input cannot be read again.
 * @throws CommandError for an empty file
 */
export async function openUploadStateStore(
  context: CliContext,
  input: string,
  what: { server: string; options: object },
): Promise<UploadStateStore | undefined> {
  if (input === '-') return undefined;
  const folder = getUploadStateFolder(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await getRealPath(input);
  const stats = isHttpUrl(input) ? undefined : await stat(input);
  if (stats?.size === 0 && stats.isFile()) throw new CommandError('The file is empty.');
  const version = stats?.mtimeMs ?? 0;
  const name = createHash('sha256')
    .update(JSON.stringify([path, version, what]))
    .digest('hex');
  return uploadStateFile(join(folder, `${name}.json`));
}

/** A refused create leaves no state behind: there is nothing to continue. */
export async function runAndClearUploadStateIfRefused<T>(
  state: UploadStateStore | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error) && (await state?.load())?.jobId === undefined) await state?.clear();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && !TRANSIENT_STATUSES.has(error.status);
}
