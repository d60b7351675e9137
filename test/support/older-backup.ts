import { listTableNamesToDump, DatabaseSnapshot } from '@app/database';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { BackupFolder } from '../../apps/admin/src/backup/backup-folder.js';
import { writeFileReturningChecksum } from '../../apps/admin/src/backup/file-checksum.js';
import { type BackupManifest, serializeBackupManifest } from '../../apps/admin/src/backup/backup-manifest.js';
import { type BackupSecrets, writeBackupSecrets } from '../../apps/admin/src/backup/backup-secrets.js';
import { getInstallation } from '../../apps/admin/src/backup/backup.repository.js';

/** Writes a backup without objects, like the version with this schema. @param secrets null for a backup without secrets */
export async function writeOlderBackup(
  db: DataSource,
  path: string,
  secrets: BackupSecrets | null,
): Promise<void> {
  const folder = await BackupFolder.create(path);
  const snapshot = await DatabaseSnapshot.open((db.options as { url: string }).url);
  try {
    const existingTables = await snapshot.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
    );
    const tables: BackupManifest['tables'] = [];
    for (const name of listTableNamesToDump(db)) {
      if (!existingTables.some((table) => table.name === name)) continue;
      const columns = await snapshot.listColumns(name);
      const rows = snapshot.copyTable(name, columns);
      const file = await writeFileReturningChecksum(folder.tablePath(name), rows);
      tables.push({ name, columns, rows: rows.rowCount, ...file });
    }
    const appliedMigrations = await snapshot.rows<{ name: string }>(
      'SELECT name FROM schema_migration ORDER BY timestamp',
    );
    const noObjects = (async function* (): AsyncGenerator<string> {})();
    const manifest = {
      service_version: '0.1.1',
      backup_id: uuidv7(),
      created_at: snapshot.takenAt.toISOString(),
      migrations: appliedMigrations.map(({ name }) => name),
      installation: await getInstallation(snapshot),
      store_kind: 'files' as const,
      sealing_keys: [],
      tables,
      objects: {
        ...(await writeFileReturningChecksum(folder.objectListPath, noObjects)),
        count: 0,
        total_bytes: 0,
        missing: 0,
      },
      secrets: secrets && (await writeBackupSecrets(folder, secrets)),
    };
    await folder.writeManifest(serializeBackupManifest(manifest));
  } finally {
    await snapshot.close();
  }
}
