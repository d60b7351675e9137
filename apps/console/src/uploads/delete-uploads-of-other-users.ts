import { deleteStoredItem, listUploadDatabaseItems, listStoredKeys } from './upload-database.ts';
import { parseUserIdOfOwner } from './owner.ts';

let presentUserId: string | undefined;

/**
 * Deletes what the browser has of other users, whose session ended without a sign-out. Of the same user, what belongs
 * to other accounts stays.
 */
export async function deleteUploadsOfOtherUsers(userId: string): Promise<void> {
  if (presentUserId === userId) return;
  presentUserId = userId;
  // First, so that none of an upload that starts meanwhile is among them.
  const files = await listStoredKeys('files');
  const kept = new Set<string>();
  for (const { id, owner } of await listUploadDatabaseItems('uploads'))
    if (parseUserIdOfOwner(owner) === userId) kept.add(id);
    else await deleteStoredItem('uploads', id);
  for (const { jobId, owner, uploadId } of await listUploadDatabaseItems('audio'))
    if (parseUserIdOfOwner(owner) === userId) kept.add(uploadId);
    else await deleteStoredItem('audio', jobId);
  for (const id of files) if (!kept.has(id)) await deleteStoredItem('files', id);
}
