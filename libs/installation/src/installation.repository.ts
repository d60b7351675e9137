import { queryRows, Installation } from '@app/database';
import { type DataSource, type EntityManager, Not } from 'typeorm';

export interface InstallationRow {
  installationId: string;
  /** Null until a program has claimed a store. */
  storeId: string | null;
  generation: number;
}

const COLUMNS = 'installation_id AS "installationId", store_id AS "storeId", generation';

/** @throws Error if no program was ever started on this database */
export async function getInstallationRow(db: DataSource | EntityManager): Promise<InstallationRow> {
  return requireRow(await queryRows<InstallationRow>(db, `SELECT ${COLUMNS} FROM installation`));
}

export async function recordStoreId(db: DataSource, storeId: string): Promise<void> {
  await db.query('UPDATE installation SET store_id = $1', [storeId]);
}

/**
 * After database and store were separated, these rows no longer describe objects that requests are storing.
 */
export async function deleteAllAudioIntakes(db: DataSource): Promise<void> {
  await db.query('DELETE FROM audio_intake');
}

/** Raises the generation above the current one and `minimum`. */
export async function incrementGeneration(db: DataSource, minimum = 0): Promise<InstallationRow> {
  return requireRow(
    await queryRows<InstallationRow>(
      db,
      `UPDATE installation SET generation = GREATEST(generation, $1) + 1 RETURNING ${COLUMNS}`,
      [minimum],
    ),
  );
}

function requireRow([row]: InstallationRow[]): InstallationRow {
  if (row === undefined) throw new Error('The database holds no installation: start a program on it first.');
  return row;
}

/** Does nothing if the row exists. */
export async function insertInstallationIfAbsent(
  { manager }: DataSource,
  secretFingerprint: string,
): Promise<void> {
  await manager
    .createQueryBuilder()
    .insert()
    .into(Installation)
    .values({ secretFingerprint })
    .orIgnore()
    .execute();
}

/** @returns undefined if no program was ever started on this database */
export async function findSecretFingerprint(db: DataSource): Promise<string | undefined> {
  const [row] = await queryRows<{ fingerprint: string }>(
    db,
    'SELECT secret_fingerprint AS fingerprint FROM installation',
  );
  return row?.fingerprint;
}

/** @returns false if it is unchanged */
export async function replaceSecretFingerprint(db: DataSource, secretFingerprint: string): Promise<boolean> {
  const saved = await db
    .getRepository(Installation)
    .update({ secretFingerprint: Not(secretFingerprint) }, { secretFingerprint });
  return saved.affected === 1;
}
