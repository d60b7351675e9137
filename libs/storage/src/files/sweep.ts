import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing, unlessUnreadable } from './fs-errors.js';
import { type Layout, readName } from './layout.js';
import { readRecord } from './object-record.js';

const HOUR = 60 * 60 * 1000;
/** Nobody comes back to an upload after that; the application aborts its own much earlier. */
const UPLOAD_LIFE = 7 * 24 * HOUR;

/** Change time, not modification time: moving into place renews it, so nothing under way looks old. */
async function removeIfOlder(path: string, cutoff: number): Promise<number> {
  const found = await unlessMissing(stat(path));
  if (found === null || found.ctimeMs >= cutoff) return 0;
  await rm(path, { recursive: true, force: true });
  return 1;
}

/** Names no more once `stop` is aborted: a large tree must not hold up a process that ends. */
async function* namesIn(directory: string, stop: AbortSignal): AsyncGenerator<string> {
  for (const name of (await unlessMissing(readdir(directory))) ?? []) {
    if (stop.aborted) return;
    yield name;
  }
}

async function sweepFlat(directory: string, cutoff: number, stop: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const name of namesIn(directory, stop))
    removed += await removeIfOlder(join(directory, name), cutoff);
  return removed;
}

/**
 * Data that no record names: a crash between two steps, or two processes that replaced one object at once. What lies
 * beside a record that cannot be read may be what it names, and stays.
 */
async function sweepUnnamed(directory: string, cutoff: number, stop: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const name of namesIn(directory, stop)) {
    const read = readName(name);
    const path = join(directory, name);
    if (read.kind === 'directory') removed += await sweepUnnamed(path, cutoff, stop);
    if (read.kind !== 'data') continue;
    const record = await unlessUnreadable(readRecord(join(directory, `${read.stem}@meta`)));
    if (record === undefined) continue;
    if (record?.data !== name) removed += await removeIfOlder(path, cutoff);
  }
  return removed;
}

/** Removes what half-done writes left before `cutoff` (ms since 1970). @returns how many files or directories. */
export async function sweepTemporary(layout: Layout, cutoff: number, stop: AbortSignal): Promise<number> {
  return sweepFlat(layout.tmp, cutoff, stop);
}

/** Removes data without a record (an hour) and forgotten multipart uploads (a week). */
export async function sweepOrphans(layout: Layout, now: number, stop: AbortSignal): Promise<number> {
  const uploads = await sweepFlat(layout.uploads, now - UPLOAD_LIFE, stop);
  return uploads + (await sweepUnnamed(layout.objects, now - HOUR, stop));
}
