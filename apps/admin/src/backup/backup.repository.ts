import { type DatabaseSnapshot, USED_ENCRYPTION_KEY_IDS_SQL } from '@app/database';
import type { Readable } from 'node:stream';
import { CommandError } from '../output.js';
import type { BackupManifest } from './backup-manifest.js';

type InstallationColumns = BackupManifest['installation'];

/** Names of the applied migrations, oldest first. */
export async function listAppliedMigrationNames(snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ name: string }>('SELECT name FROM schema_migration ORDER BY timestamp');
  return rows.map(({ name }) => name);
}

/** @throws CommandError if no program was ever started on the database */
export async function getInstallation(snapshot: DatabaseSnapshot): Promise<InstallationColumns> {
  const [row] = await snapshot.rows<InstallationColumns>(
    'SELECT installation_id, store_id, generation, secret_fingerprint FROM installation',
  );
  if (row === undefined)
    throw new CommandError('The database has no data of the service: there is nothing to back up.');
  // A bigint is text on this connection.
  return { ...row, generation: Number(row.generation) };
}

/** Ids of the keys that are needed to decrypt rows of the backup. */
export async function readUsedEncryptionKeyIds(snapshot: DatabaseSnapshot): Promise<string[]> {
  const rows = await snapshot.rows<{ id: string }>(USED_ENCRYPTION_KEY_IDS_SQL);
  return rows.map(({ id }) => id);
}

/**
 * Lines of `key<TAB>required`: the audio of open jobs and their unrecognised chunks, which are deleted when the job ends.
 * Jobs that were queued first come first, as they end first.
 */
export function streamOpenJobObjectKeysAsTsv(snapshot: DatabaseSnapshot): Readable {
  return snapshot.copySelect(`
    SELECT key, required FROM (
      SELECT audio_key AS key, queued_at IS NOT NULL AS required, queued_at FROM job
      WHERE status = 'processing' AND (audio_url IS NULL OR stored_size IS NOT NULL)
      UNION ALL
      SELECT input->>'key', true, queued_at FROM job_stage JOIN job ON job.id = job_id
      WHERE queue = 'chunk' AND state IN ('pending', 'running') AND input->>'key' IS NOT NULL
    ) needed ORDER BY queued_at NULLS LAST`);
}

/** Lines of `key<TAB>required`: the transcripts of completed jobs, without their documents. */
export function streamTranscriptObjectKeysAsTsv(snapshot: DatabaseSnapshot): Readable {
  return snapshot.copySelect('SELECT result_key, true FROM job WHERE result_key IS NOT NULL');
}
