import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listEntriesRecursively } from '../../support/list-entries-recursively.js';
import { isRunning } from './processes.js';
import { until } from './until.js';

const PREFIX = 'zephyr-e2e-';

/** A fresh folder, named after this process. Folders of killed runs are removed first. */
export async function createDataDir(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (owner > 0 && !(await isRunning(owner))) await removeDataDir(join(tmpdir(), name));
  }
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

export async function removeDataDir(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** The file that identifies the installation; it belongs to no job. */
const MARKER = 'zephyr-installation.json';

/** The paths of all objects of jobs in the data folder of a service, including incomplete files. */
export async function listStoredFiles(dataDir: string): Promise<string[]> {
  const entries = await listEntriesRecursively(join(dataDir, 'objects'));
  const isOfJob = (name: string) => !name.startsWith(MARKER);
  return entries
    .filter((entry) => entry.isFile() && isOfJob(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Calls `send`, and resolves when the file store has begun to write: a new incomplete file exists. */
export async function waitUntilBeingStored(dataDir: string, send: () => unknown): Promise<void> {
  const listPartialFiles = () => readdir(join(dataDir, 'objects', 'tmp')).catch((): string[] => []);
  const known = new Set(await listPartialFiles());
  await send();
  await until('the upload is being stored', async () =>
    (await listPartialFiles()).some((name) => !known.has(name)),
  );
}
