import { queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** What the database says about itself and its object store. */
export interface InstallationRow {
  installationId: string;
  /** Null until a program has claimed a store. */
  storeId: string | null;
  generation: number;
}

const COLUMNS = 'installation_id AS "installationId", store_id AS "storeId", generation';

/** @throws Error when no program has ever been started on this database */
export async function readInstallationRow(db: DataSource | EntityManager): Promise<InstallationRow> {
  return singleRow(await queryRows<InstallationRow>(db, `SELECT ${COLUMNS} FROM installation`));
}

/** Names the store of this database. */
export async function recordStoreId(db: DataSource, storeId: string): Promise<void> {
  await db.query('UPDATE installation SET store_id = $1', [storeId]);
}

/**
 * A database and a store that were not together all the time: what a request was storing when the rows were written says
 * nothing about the objects that are there now.
 */
export async function deleteAudioIntakes(db: DataSource): Promise<void> {
  await db.query('DELETE FROM audio_intake');
}

/** One more than it was, and more than `above`. */
export async function incrementGeneration(db: DataSource, minimum = 0): Promise<InstallationRow> {
  return singleRow(
    await queryRows<InstallationRow>(
      db,
      `UPDATE installation SET generation = GREATEST(generation, $1) + 1 RETURNING ${COLUMNS}`,
      [minimum],
    ),
  );
}

function singleRow([row]: InstallationRow[]): InstallationRow {
  if (row === undefined) throw new Error('The database holds no installation: start a program on it first.');
  return row;
}
