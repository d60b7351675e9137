import { access } from 'node:fs/promises';
import { relative } from 'node:path';
import { forEachConcurrently } from '@app/async';
import { BackupFolder } from './backup-folder.js';
import { type FileSizeAndChecksum, computeFileSizeAndChecksum } from './file-checksum.js';
import { type BackupManifest, readBackupManifest } from './backup-manifest.js';
import { isEntryOfMissingObject, streamObjectListEntries } from './object-list.js';
import type { ProgressLog } from './progress-log.js';

const CONCURRENCY = 2;

export interface BackupVerification {
  manifest: BackupManifest;
  files: number;
  /** Missing or changed files, relative to the backup. */
  damaged: string[];
}

/** Compares every file with its checksum. @throws CommandError if there is no finished backup */
export async function verifyBackup(path: string, progress: ProgressLog): Promise<BackupVerification> {
  const folder = new BackupFolder(path);
  const manifest = await readBackupManifest(folder);
  const damaged = await findDamagedFilesExceptObjects(folder, manifest);
  let files = manifest.tables.length + 1 + (manifest.secrets ? 1 : 0);
  // A damaged list cannot be used to check the objects.
  if (damaged.includes(relative(path, folder.objectListPath))) return { manifest, files, damaged };
  await forEachConcurrently(streamObjectListEntries(folder), CONCURRENCY, async (object) => {
    if (isEntryOfMissingObject(object)) return;
    files += 1;
    const file = folder.objectPath(object.key);
    if (!(await matchesChecksum(file, { bytes: object.size, sha256: object.sha256 })))
      damaged.push(relative(path, file));
    progress.report(`${files} files`);
  });
  return { manifest, files, damaged };
}

/** Checks all files except the objects. */
export async function findDamagedFilesExceptObjects(
  folder: BackupFolder,
  manifest: BackupManifest,
): Promise<string[]> {
  const files: [string, FileSizeAndChecksum][] = [
    ...manifest.tables.map((table): [string, FileSizeAndChecksum] => [folder.tablePath(table.name), table]),
    [folder.objectListPath, manifest.objects],
    ...(manifest.secrets
      ? ([[folder.secretsPath, manifest.secrets]] as [string, FileSizeAndChecksum][])
      : []),
  ];
  const damaged: string[] = [];
  for (const [file, expected] of files)
    if (!(await matchesChecksum(file, expected))) damaged.push(relative(folder.path, file));
  return damaged;
}

async function matchesChecksum(file: string, { bytes, sha256 }: FileSizeAndChecksum): Promise<boolean> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const found = await computeFileSizeAndChecksum(file);
  return found.bytes === bytes && found.sha256 === sha256;
}
