import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@app/storage';
import { CommandRefused } from '../output.js';
import { backupFolderError } from './folder-error.js';
import { writeHashed } from './hashed-file.js';

const MANIFEST = 'manifest.json';

/**
 * Where things lie in a backup:
 * - `manifest.json`           written last: without it the backup was never finished
 * - `secrets.json`            the service secret and the encryption keys, mode 0600
 * - `database/<table>.copy`   the rows of a table, in the text format of COPY
 * - `objects.jsonl`           a line for each object that the rows need
 * - `objects/<key>`           its bytes
 */
export class BackupFolder {
  constructor(readonly path: string) {}

  /** Makes the folder, private to this user. @throws CommandRefused when there is something in it */
  static async create(path: string): Promise<BackupFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw backupFolderError(path, error);
    });
    const found = await readdir(path);
    if (found.length > 0)
      throw new CommandRefused(
        found.includes(MANIFEST)
          ? `${path} contains a backup. Give a new folder.`
          : `${path} is not empty. Give a new folder; the remains of an interrupted backup can be deleted.`,
      );
    await chmod(path, 0o700);
    for (const name of ['database', 'objects']) await mkdir(join(path, name), { mode: 0o700 });
    return new BackupFolder(path);
  }

  get manifest(): string {
    return join(this.path, MANIFEST);
  }

  get secrets(): string {
    return join(this.path, 'secrets.json');
  }

  get objectList(): string {
    return join(this.path, 'objects.jsonl');
  }

  table(name: string): string {
    return join(this.path, 'database', `${name}.copy`);
  }

  /** Keys are relative and made of plain segments (`ObjectStore`): none leads out of the folder. */
  object(key: string): string {
    return join(this.path, 'objects', ...key.split('/'));
  }

  /** Makes the backup whole: everything else is on disk before the manifest gets its name. */
  async seal(manifest: string): Promise<void> {
    await syncFolders(this.path);
    const draft = `${this.manifest}.draft`;
    await writeHashed(draft, [manifest]);
    await rename(draft, this.manifest);
    await syncDirectory(this.path);
  }
}

async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(path, entry.name));
  await syncDirectory(path);
}
