import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { DatabaseSnapshot } from '@app/database';
import { buildDocumentKeyFromResultKey } from '@app/jobs';
import { z } from 'zod';
import type { BackupFolder } from './backup-folder.js';
import { streamOpenJobObjectKeysAsTsv, streamTranscriptObjectKeysAsTsv } from './backup.repository.js';
import { writeFileReturningChecksum } from './file-checksum.js';

/** A relative path of plain segments under a prefix of the service. */
const objectKey = z.string().regex(/^(?:audio|work|transcripts)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._=-]+)+$/);

const objectListEntry = z.union([
  z.object({
    key: objectKey,
    size: z.number(),
    content_type: z.string(),
    /** From the store that was backed up. */
    etag: z.string(),
    sha256: z.string(),
  }),
  z.object({ key: objectKey, missing: z.literal(true) }),
]);

export type BackedUpObject = Exclude<z.infer<typeof objectListEntry>, { missing: true }>;
export type ObjectListEntry = z.infer<typeof objectListEntry>;

export function isEntryOfMissingObject(entry: ObjectListEntry): entry is { key: string; missing: true } {
  return 'missing' in entry;
}

/** Streams `objects.jsonl`, which may have millions of lines. */
export async function* streamObjectListEntries(folder: BackupFolder): AsyncGenerator<ObjectListEntry> {
  for await (const text of readLines(folder.objectListPath)) yield objectListEntry.parse(JSON.parse(text));
}

export interface ObjectKeyWithRequiredFlag {
  key: string;
  /** False for an upload that is not completed. */
  isRequired: boolean;
}

export type NeededObjectGroup = 'open' | 'transcripts';

/** Writes the lists to files, as there may be millions of objects, and the snapshot should not stay open during the copy. */
export async function writeNeededObjectLists(
  snapshot: DatabaseSnapshot,
  folder: BackupFolder,
): Promise<void> {
  await writeFileReturningChecksum(
    buildNeededObjectListPath(folder, 'open'),
    streamOpenJobObjectKeysAsTsv(snapshot),
  );
  await writeFileReturningChecksum(
    buildNeededObjectListPath(folder, 'transcripts'),
    streamTranscriptObjectKeysAsTsv(snapshot),
  );
}

export async function* streamNeededKeysWithRequiredFlag(
  folder: BackupFolder,
  group: NeededObjectGroup,
): AsyncGenerator<ObjectKeyWithRequiredFlag> {
  for await (const line of readLines(buildNeededObjectListPath(folder, group))) {
    const [key = '', required] = line.split('\t');
    yield { key, isRequired: required === 't' };
    const document = buildDocumentKeyFromResultKey(key);
    if (group === 'transcripts' && document !== key) yield { key: document, isRequired: true };
  }
}

export function buildNeededObjectListPath(folder: BackupFolder, group: NeededObjectGroup): string {
  return `${folder.objectListPath}.${group}`;
}

async function* readLines(path: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const text of lines) if (text !== '') yield text;
}
