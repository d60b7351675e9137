import pTimeout from 'p-timeout';
import { parseUserIdOfOwner } from './owner.ts';
import { listUploadDatabaseItems } from './upload-database.ts';
import { hasUnsentAudio } from './upload-record.ts';

/** A user who signs out does not wait longer for a storage that does not respond. */
const WAIT_MS = 1_000;

/** Counts the uploads of the user in all accounts whose audio a sign-out loses. */
export async function countUnsentUploads(userId: string): Promise<number> {
  const uploads = await pTimeout(listUploadDatabaseItems('uploads'), { milliseconds: WAIT_MS }).catch(
    () => [],
  );
  return uploads.filter((upload) => parseUserIdOfOwner(upload.owner) === userId && hasUnsentAudio(upload))
    .length;
}
