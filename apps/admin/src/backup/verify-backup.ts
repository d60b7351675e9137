import { access } from 'node:fs/promises';
import { relative } from 'node:path';
import { atOnce } from './at-once.js';
import { BackupFolder } from './backup-folder.js';
import { type FileSummary, hashFile } from './hashed-file.js';
import { type Manifest, readManifest } from './manifest.js';
import { isMissingObject, readObjectList } from './object-list.js';
import type { Progress } from './progress.js';

const AT_ONCE = 2;

export interface Verification {
  manifest: Manifest;
  files: number;
  /** Files that are missing or whose bytes are others, relative to the backup. */
  damaged: string[];
}

/** Reads everything in a backup and compares it with its manifest. @throws CommandRefused when there is no finished one */
export async function verifyBackup(path: string, progress: Progress): Promise<Verification> {
  const folder = new BackupFolder(path);
  const manifest = await readManifest(folder);
  const damaged = await damagedFiles(folder, manifest);
  let files = manifest.tables.length + 1 + (manifest.secrets ? 1 : 0);
  // A list that is damaged says nothing of the objects.
  if (damaged.includes(relative(path, folder.objectList))) return { manifest, files, damaged };
  await atOnce(readObjectList(folder), AT_ONCE, async (object) => {
    if (isMissingObject(object)) return;
    files += 1;
    const file = folder.object(object.key);
    if (!(await isWhole(file, { bytes: object.size, sha256: object.sha256 })))
      damaged.push(relative(path, file));
    progress.say(`${files} files`);
  });
  return { manifest, files, damaged };
}

/** Of the files beside the objects. */
export async function damagedFiles(folder: BackupFolder, manifest: Manifest): Promise<string[]> {
  const files: [string, FileSummary][] = [
    ...manifest.tables.map((table): [string, FileSummary] => [folder.table(table.name), table]),
    [folder.objectList, manifest.objects],
    ...(manifest.secrets ? ([[folder.secrets, manifest.secrets]] as [string, FileSummary][]) : []),
  ];
  const damaged: string[] = [];
  for (const [file, expected] of files)
    if (!(await isWhole(file, expected))) damaged.push(relative(folder.path, file));
  return damaged;
}

async function isWhole(file: string, { bytes, sha256 }: FileSummary): Promise<boolean> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const found = await hashFile(file);
  return found.bytes === bytes && found.sha256 === sha256;
}
