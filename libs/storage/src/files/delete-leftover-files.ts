import { withAnySignal } from '@app/async';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnreferencedDataDeletionResult, UnreferencedDataDeletionOptions } from '../object-store.js';
import { nullIfFileMissing, undefinedIfFileUnreadable } from './fs-errors.js';
import { type FileStoreLayout, parseFileStoreEntryName } from './file-store-layout.js';
import { readObjectRecord } from './object-record.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Uses the change time: a rename or a restored backup renews it, unlike the modification time. */
async function isOlderThan(path: string, cutoff: number): Promise<boolean> {
  const found = await nullIfFileMissing(stat(path));
  return found !== null && found.ctimeMs < cutoff;
}

/** Stops when `stop` is aborted, so that a large directory does not delay shutdown. */
async function* readNames(directory: string, stop: AbortSignal): AsyncGenerator<string> {
  for await (const { name } of (await nullIfFileMissing(opendir(directory))) ?? []) {
    if (stop.aborted) return;
    yield name;
  }
}

/** @param cutoff ms since 1970. @returns the number of files and directories deleted */
export async function deleteStaleTemporaryFiles(
  layout: FileStoreLayout,
  cutoff: number,
  stop: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const name of readNames(layout.temporaryDirectory, stop)) {
    const path = join(layout.temporaryDirectory, name);
    if (!(await isOlderThan(path, cutoff))) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/**
 * Removes data without a record, left by concurrent replacements or a crash. It may also be a partly restored
 * backup, so it waits for days, and nothing is removed if more than `allowed` is found.
 */
export async function deleteUnreferencedDataFiles(
  layout: FileStoreLayout,
  { minAgeDays, maxRemovals: allowed, stop }: UnreferencedDataDeletionOptions,
  closing: AbortSignal,
): Promise<UnreferencedDataDeletionResult> {
  const { examined, found, isStopped } = await withAnySignal(
    stop ? [closing, stop] : [closing],
    async (signal) => {
      const finder = new UnreferencedDataFinder(Date.now() - minAgeDays * DAY_MS, signal);
      await finder.walk(layout.objectsDirectory);
      return { examined: finder.examined, found: finder.found, isStopped: signal.aborted };
    },
  );
  if (isStopped || found.length > allowed(examined)) return { examined, found: found.length, removed: 0 };
  for (const { path, record } of found) {
    // Its record may have been written meanwhile.
    const current = await undefinedIfFileUnreadable(readObjectRecord(record));
    if (current === null || (current && !path.endsWith(`/${current.data}`)))
      await rm(path, { recursive: true, force: true });
  }
  return { examined, found: found.length, removed: found.length };
}

class UnreferencedDataFinder {
  examined = 0;
  readonly found: { path: string; record: string }[] = [];

  constructor(
    private readonly cutoff: number,
    private readonly stop: AbortSignal,
  ) {}

  async walk(directory: string): Promise<void> {
    for await (const name of readNames(directory, this.stop)) {
      const read = parseFileStoreEntryName(name);
      const path = join(directory, name);
      if (read.kind === 'directory') await this.walk(path);
      if (read.kind === 'data') await this.examine(path, name, join(directory, `${read.stem}@meta`));
    }
  }

  /** Keeps data beside an unreadable record, which may refer to it. */
  private async examine(path: string, name: string, record: string): Promise<void> {
    this.examined += 1;
    const current = await undefinedIfFileUnreadable(readObjectRecord(record));
    if (current === undefined || current?.data === name) return;
    if (await isOlderThan(path, this.cutoff)) this.found.push({ path, record });
  }
}
