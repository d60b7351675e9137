import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnreferencedSweepResult, UnreferencedSweepOptions } from '../object-store.js';
import { nullIfMissing, undefinedIfUnreadable } from './fs-errors.js';
import { type FileStoreLayout, parseEntryName } from './file-store-layout.js';
import { readObjectRecord } from './object-record.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Change time, not modification time: moving into place or copying from a backup renews it. */
async function isOlderThan(path: string, cutoff: number): Promise<boolean> {
  const found = await nullIfMissing(stat(path));
  return found !== null && found.ctimeMs < cutoff;
}

/** Names no more once `stop` is aborted: a large tree must not hold up a process that ends. */
async function* readNames(directory: string, stop: AbortSignal): AsyncGenerator<string> {
  for (const name of (await nullIfMissing(readdir(directory))) ?? []) {
    if (stop.aborted) return;
    yield name;
  }
}

/** Removes what half-done writes left before `cutoff` (ms since 1970). @returns how many files or directories. */
export async function sweepTemporaryFiles(
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
 * Removes data that no record refers to: what two processes left that replaced one object at once, or a crash between
 * two steps. It may as well be the half of a restored backup whose records are still to come, so it waits for days, and
 * more of it than `allowed` stays.
 */
export async function sweepUnreferencedData(
  layout: FileStoreLayout,
  { minAgeDays, maxRemovals: allowed }: UnreferencedSweepOptions,
  stop: AbortSignal,
): Promise<UnreferencedSweepResult> {
  const walk = new UnreferencedDataFinder(Date.now() - minAgeDays * DAY_MS, stop);
  await walk.walk(layout.objectsDirectory);
  const { examined, found } = walk;
  if (stop.aborted || found.length > allowed(examined)) return { examined, found: found.length, removed: 0 };
  for (const { path, record } of found) {
    // Its record may have come meanwhile.
    const current = await undefinedIfUnreadable(readObjectRecord(record));
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
      const read = parseEntryName(name);
      const path = join(directory, name);
      if (read.kind === 'directory') await this.walk(path);
      if (read.kind === 'data') await this.examine(path, name, join(directory, `${read.stem}@meta`));
    }
  }

  /** What lies beside a record that cannot be read may be what it refers to, and stays. */
  private async examine(path: string, name: string, record: string): Promise<void> {
    this.examined += 1;
    const current = await undefinedIfUnreadable(readObjectRecord(record));
    if (current === undefined || current?.data === name) return;
    if (await isOlderThan(path, this.cutoff)) this.found.push({ path, record });
  }
}
