import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, uploadStateFile, type UploadStateStore } from 'zephyr-client';
import type { CliContext } from '../command.js';
import { getUploadStateFolder } from '../config.js';
import { CommandError, isRetryableError } from '../errors.js';
import { getRealPath, isHttpUrl } from '../files/expand-inputs.js';

export interface UploadStateHandle {
  store: UploadStateStore;
  /** Forgets interrupted runs with other options, or of what the file was before. @returns their jobs */
  removeStaleStates: () => Promise<string[]>;
}

interface OpenUploadStateOptions {
  server: string;
  options: object;
  /** Called with the error if there is no folder for states. */
  onUnwritable: (error: unknown) => undefined;
}

/**
 * Where the state of an upload is kept, by file, server and options. Standard input cannot be read again.
 * @returns undefined if the upload cannot be continued
 * @throws CommandError for an empty file, and for one that does not exist
 */
export async function openUploadState(
  context: CliContext,
  input: string,
  { server, options, onUnwritable }: OpenUploadStateOptions,
): Promise<UploadStateHandle | undefined> {
  if (input === '-') return undefined;
  const path = await getRealPath(input);
  const stats = isHttpUrl(input) ? undefined : await stat(input).catch(() => null);
  if (stats === null) throw new CommandError('The file does not exist, or may not be read.');
  if (stats?.size === 0 && stats.isFile()) throw new CommandError('The file is empty.');
  const folder = await makeStateFolder(context).catch(onUnwritable);
  if (folder === undefined) return undefined;
  const version = stats?.mtimeMs ?? 0;
  const prefix = `${hash([path, server])}-`;
  const name = `${prefix}${hash([version, options])}.json`;
  const others = (await readdir(folder)).filter((each) => each.startsWith(prefix) && each !== name);
  return {
    store: uploadStateFile(join(folder, name)),
    removeStaleStates: async () => {
      const jobIds: string[] = [];
      for (const other of others.map((each) => uploadStateFile(join(folder, each)))) {
        const { jobId } = (await other.load()) ?? {};
        if (jobId !== undefined) jobIds.push(jobId);
        await other.clear();
      }
      return jobIds;
    },
  };
}

/** @throws an error if the folder cannot be written to */
async function makeStateFolder(context: CliContext): Promise<string> {
  const folder = getUploadStateFolder(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.R_OK | constants.W_OK);
  return folder;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
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
  return error instanceof ApiError && !isRetryableError(error);
}
