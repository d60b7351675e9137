import {
  CommandLineSignIn,
  Job,
  OneTimeLink,
  SignInChallenge,
  tableExists,
  UserSession,
} from '@app/database';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';

/** Whether an interrupted restore to this object store has committed its rows. */
export async function hasCommittedRestore(dataSource: DataSource, storeId: string): Promise<boolean> {
  if (!(await tableExists(dataSource, 'installation'))) return false;
  // All columns: the table of an earlier version has no `store_id`.
  const rows = await dataSource.query<{ store_id?: string }[]>('SELECT * FROM installation');
  return rows[0]?.store_id === storeId;
}

/** Raises the generation above that of the backup, so that other copies of the database or store no longer match. */
export async function assignStoreAndRaiseGeneration(tx: EntityManager, storeId: string): Promise<void> {
  await tx.query('UPDATE installation SET store_id = $1, generation = generation + 1', [storeId]);
}

/** @param time ISO 8601 */
export async function readSecondsSince(tx: EntityManager, time: string): Promise<number> {
  const [row]: { elapsed: number }[] = await tx.query(
    'SELECT extract(epoch FROM now() - $1::timestamptz)::float8 AS elapsed',
    [time],
  );
  return row?.elapsed ?? 0;
}

/** Those of the backup may have been ended or used since. @returns the number of sessions */
export async function deleteRestoredSignIns(tx: EntityManager): Promise<number> {
  for (const entity of [OneTimeLink, SignInChallenge, CommandLineSignIn])
    await tx.createQueryBuilder().delete().from(entity).execute();
  const { affected } = await tx.createQueryBuilder().delete().from(UserSession).execute();
  return affected ?? 0;
}

export function countOpenMultipartUploads(tx: EntityManager): Promise<number> {
  return tx.countBy(Job, { status: 'processing', queuedAt: IsNull(), source: 'multipart' });
}
