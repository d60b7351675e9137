import { chmod, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncDirectory, isDiskFullError } from '@app/storage';
import { CommandError } from '../output.js';
import { DiskReserveReachedError } from './backup-disk-guard.js';
import { writeFileReturningChecksum } from './file-checksum.js';

const MANIFEST = 'manifest.json';
const CHOOSE_WRITABLE_FOLDER = 'Give a new folder that the user of this command can write.';
const CAUSES: Record<string, [string, string]> = {
  EEXIST: ['is a file', 'Give a new folder.'],
  ENOTDIR: ['is below a file', 'Give a new folder.'],
  EACCES: ['cannot be written by the user of this command', CHOOSE_WRITABLE_FOLDER],
  EPERM: ['cannot be written by the user of this command', CHOOSE_WRITABLE_FOLDER],
  EROFS: ['is on a disk that is mounted read-only', CHOOSE_WRITABLE_FOLDER],
};

/**
 * Layout of a backup:
 * - `manifest.json`           written last, and so missing from an unfinished backup
 * - `secrets.json`            the service secret and the encryption keys, mode 0600
 * - `database/<table>.copy`   the rows of a table, in the text format of COPY
 * - `objects.jsonl`           one line for each object that the rows need
 * - `objects/<key>`           the bytes of each object
 */
export class BackupFolder {
  constructor(
    readonly path: string,
    private readonly isCreated = false,
  ) {}

  /** @throws CommandError if the folder is not empty or cannot be created */
  static async create(path: string): Promise<BackupFolder> {
    const created = await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw toBackupFolderError(path, error);
    });
    const found = await readdir(path);
    if (found.length > 0)
      throw new CommandError(
        found.includes(MANIFEST)
          ? `${path} contains a backup. Give a new folder.`
          : `${path} is not empty. Give a new folder; the remains of an interrupted backup can be deleted.`,
      );
    await chmod(path, 0o700);
    for (const name of ['database', 'objects']) await mkdir(join(path, name), { mode: 0o700 });
    return new BackupFolder(path, created !== undefined);
  }

  /** Deletes a backup that is not complete, and the folder if `create` made it. */
  async discard(): Promise<void> {
    for (const name of await readdir(this.path)) await rm(join(this.path, name), { recursive: true });
    if (this.isCreated) await rmdir(this.path);
  }

  get manifestPath(): string {
    return join(this.path, MANIFEST);
  }

  get secretsPath(): string {
    return join(this.path, 'secrets.json');
  }

  get objectListPath(): string {
    return join(this.path, 'objects.jsonl');
  }

  tablePath(name: string): string {
    return join(this.path, 'database', `${name}.copy`);
  }

  /** Keys are relative paths of plain segments, so that none leads out of the folder. */
  objectPath(key: string): string {
    return join(this.path, 'objects', ...key.split('/'));
  }

  /** Completes the backup: all other files are on disk before the manifest gets its name. */
  async writeManifest(manifest: string): Promise<void> {
    await syncFolders(this.path);
    const draft = `${this.manifestPath}.draft`;
    await writeFileReturningChecksum(draft, [manifest]);
    await rename(draft, this.manifestPath);
    await fsyncDirectory(this.path);
  }
}

async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(path, entry.name));
  await fsyncDirectory(path);
}

/** @returns a CommandError for a known cause, otherwise the error itself */
function toBackupFolderError(path: string, error: unknown): unknown {
  const [cause, remedy] = CAUSES[errorCode(error)] ?? [];
  return cause === undefined
    ? toCommandErrorIfDiskFull(path, error)
    : new CommandError(`${path} ${cause}. ${remedy}`);
}

/** The system error of a full disk contains no path. */
export function toCommandErrorIfDiskFull(path: string, error: unknown): unknown {
  if (!isDiskFullError(error)) return error;
  const cause =
    error instanceof DiskReserveReachedError
      ? 'is full but for DISK_RESERVE_BYTES, which the service needs on the same disk'
      : 'is full';
  return new CommandError(
    `The disk of ${path} ${cause}: the backup is not complete, and is deleted. Give a folder on a disk with more room.`,
  );
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}
