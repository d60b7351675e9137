import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { BackupFolder } from './backup-folder.js';

/** A key of the service: relative, of plain segments, under one of its prefixes. */
const key = z.string().regex(/^(?:audio|work|transcripts)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._=-]+)+$/);

const line = z.union([
  z.object({
    key,
    size: z.number(),
    content_type: z.string(),
    /** As the store that was backed up told it. */
    etag: z.string(),
    sha256: z.string(),
  }),
  z.object({ key, missing: z.literal(true) }),
]);

export type BackedUpObject = Exclude<z.infer<typeof line>, { missing: true }>;
export type ObjectListEntry = z.infer<typeof line>;

export function isMissingEntry(each: ObjectListEntry): each is { key: string; missing: true } {
  return 'missing' in each;
}

/** The lines of `objects.jsonl`, one at a time: there are as many as there were ever jobs. */
export async function* readObjectList(folder: BackupFolder): AsyncGenerator<ObjectListEntry> {
  for await (const text of readLines(folder.objectListPath)) yield line.parse(JSON.parse(text));
}

/** The lines of a file, one at a time. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const text of lines) if (text !== '') yield text;
}
