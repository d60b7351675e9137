import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@app/storage';
import { CommandError } from '../output.js';
import { toBackupFolderError } from './backup-folder-error.js';
import { writeFileWithChecksum } from './file-checksum.js';

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

  /** Makes the folder, private to this user. @throws CommandError when there is something in it */
  static async create(path: string): Promise<BackupFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
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
    return new BackupFolder(path);
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

  /** Keys are relative and made of plain segments (`ObjectStore`): none leads out of the folder. */
  objectPath(key: string): string {
    return join(this.path, 'objects', ...key.split('/'));
  }

  /** Makes the backup whole: everything else is on disk before the manifest gets its name. */
  async writeManifest(manifest: string): Promise<void> {
    await syncFolders(this.path);
    const draft = `${this.manifestPath}.draft`;
    await writeFileWithChecksum(draft, [manifest]);
    await rename(draft, this.manifestPath);
    await syncDirectory(this.path);
  }
}

async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(path, entry.name));
  await syncDirectory(path);
}
