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
export async function readInstallation(db: DataSource | EntityManager): Promise<InstallationRow> {
  return onlyRow(await queryRows<InstallationRow>(db, `SELECT ${COLUMNS} FROM installation`));
}

/** Names the store of this database. */
export async function recordStore(db: DataSource, storeId: string): Promise<void> {
  await db.query('UPDATE installation SET store_id = $1', [storeId]);
}

/**
 * A database and a store that were not together all the time: what a request was storing when the rows were written says
 * nothing about the objects that are there now.
 */
export async function forgetIntakes(db: DataSource): Promise<void> {
  await db.query('DELETE FROM audio_intake');
}

/** One more than it was, and more than `above`. */
export async function raiseGeneration(db: DataSource, above = 0): Promise<InstallationRow> {
  return onlyRow(
    await queryRows<InstallationRow>(
      db,
      `UPDATE installation SET generation = GREATEST(generation, $1) + 1 RETURNING ${COLUMNS}`,
      [above],
    ),
  );
}

function onlyRow([row]: InstallationRow[]): InstallationRow {
  if (row === undefined) throw new Error('The database holds no installation: start a program on it first.');
  return row;
}
