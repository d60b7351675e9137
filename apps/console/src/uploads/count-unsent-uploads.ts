import pTimeout from 'p-timeout';
import { parseUserIdOfOwner } from './owner.ts';
import { listUploadDatabaseItems } from './upload-database.ts';

/** A user who signs out does not wait longer for a storage that does not respond. */
const WAIT_MS = 1_000;

/** Counts the uploads of the user in all accounts: those that go on, or can, and that the browser forgets with the session. */
export async function countUnsentUploads(userId: string): Promise<number> {
  const uploads = await pTimeout(listUploadDatabaseItems('uploads'), { milliseconds: WAIT_MS }).catch(
    () => [],
  );
  return uploads.filter(
    ({ owner, state }) => parseUserIdOfOwner(owner) === userId && state !== 'sent' && state !== 'failed',
  ).length;
}
