import { type DatabaseSnapshot, listDumpTables, USED_KEY_IDS_SQL } from '@app/database';
import type { DataSource } from 'typeorm';
import { CommandRefused } from '../output.js';
import type { BackupFolder } from './backup-folder.js';
import { writeHashed } from './hashed-file.js';
import type { Manifest } from './manifest.js';
import type { Progress } from './progress.js';

/** Writes the rows of every table. */
export async function writeTables(
  dataSource: DataSource,
  snapshot: DatabaseSnapshot,
  folder: BackupFolder,
  progress: Progress,
): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = [];
  for (const name of listDumpTables(dataSource)) {
    progress.say(name);
    const columns = await snapshot.listColumns(name);
    const rows = snapshot.copyTable(name, columns);
    const file = await writeHashed(folder.table(name), rows);
    tables.push({ name, columns, rows: rows.rowCount, ...file });
  }
  return tables;
}

/** @throws CommandRefused when the schema is not that of this version */
export async function migrationsOf(dataSource: DataSource, snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ name: string }>('SELECT name FROM schema_migration ORDER BY timestamp');
  const had = rows.map(({ name }) => name);
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const isSame = had.length === known.length && known.every((name) => had.includes(name));
  if (!isSame) throw otherSchemaRefusal();
  return had;
}

export function otherSchemaRefusal(): CommandRefused {
  return new CommandRefused(
    'The database schema is of another version: back up with the version that the service runs, and check DATABASE_URL and DATA_DIR.',
  );
}

export async function installationOf(snapshot: DatabaseSnapshot): Promise<Manifest['installation']> {
  const [row] = await snapshot.rows<Manifest['installation']>(
    'SELECT installation_id, store_id, generation, secret_fingerprint FROM installation',
  );
  if (row === undefined)
    throw new CommandRefused('The database has no data of the service: there is nothing to back up.');
  return { ...row, generation: Number(row.generation) };
}

/** Of the keys without which rows of the backup cannot be decrypted. */
export async function encryptionKeyIdsOf(snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ id: string }>(USED_KEY_IDS_SQL);
  return rows.map(({ id }) => id);
}
