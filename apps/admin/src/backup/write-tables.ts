import { type DatabaseSnapshot, listDumpTables, USED_KEY_IDS_SQL } from '@app/database';
import type { DataSource } from 'typeorm';
import { CommandError } from '../output.js';
import type { BackupFolder } from './backup-folder.js';
import { writeFileWithChecksum } from './file-checksum.js';
import type { BackupManifest } from './backup-manifest.js';
import type { ProgressLog } from './progress-log.js';

/** Writes the rows of every table. */
export async function writeTables(
  dataSource: DataSource,
  snapshot: DatabaseSnapshot,
  folder: BackupFolder,
  progress: ProgressLog,
): Promise<BackupManifest['tables']> {
  const tables: BackupManifest['tables'] = [];
  for (const name of listDumpTables(dataSource)) {
    progress.report(name);
    const columns = await snapshot.listColumns(name);
    const rows = snapshot.copyTable(name, columns);
    const file = await writeFileWithChecksum(folder.tablePath(name), rows);
    tables.push({ name, columns, rows: rows.rowCount, ...file });
  }
  return tables;
}

/** @throws CommandError when the schema is not that of this version */
export async function readMigrations(dataSource: DataSource, snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ name: string }>('SELECT name FROM schema_migration ORDER BY timestamp');
  const had = rows.map(({ name }) => name);
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const isSame = had.length === known.length && known.every((name) => had.includes(name));
  if (!isSame) throw schemaVersionError();
  return had;
}

export function schemaVersionError(): CommandError {
  return new CommandError(
    'The database schema is of another version: back up with the version that the service runs, and check DATABASE_URL and DATA_DIR.',
  );
}

export async function readBackupInstallation(
  snapshot: DatabaseSnapshot,
): Promise<BackupManifest['installation']> {
  const [row] = await snapshot.rows<BackupManifest['installation']>(
    'SELECT installation_id, store_id, generation, secret_fingerprint FROM installation',
  );
  if (row === undefined)
    throw new CommandError('The database has no data of the service: there is nothing to back up.');
  return { ...row, generation: Number(row.generation) };
}

/** Of the keys without which rows of the backup cannot be decrypted. */
export async function readEncryptionKeyIds(snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ id: string }>(USED_KEY_IDS_SQL);
  return rows.map(({ id }) => id);
}
