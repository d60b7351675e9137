import { deleteStoredItem, listUploadDatabaseItems, listStoredKeys } from './upload-database.ts';
import { parseUserIdOfOwner } from './owner.ts';
import { hasUnsentAudio, type UploadRecord } from './upload-record.ts';

const DAY_MS = 86_400_000;
/** How long audio that was not sent waits for the sign-in of its user. */
const UNSENT_AUDIO_DAYS = 7;

let presentUserId: string | undefined;

/**
 * Deletes what the browser has of other users, whose session ended without a sign-out. Of the same user, what belongs
 * to other accounts stays.
 */
export async function deleteUploadsOfOtherUsers(userId: string): Promise<void> {
  if (presentUserId === userId) return;
  presentUserId = userId;
  const isOfUser = ({ owner }: { owner: string }) => parseUserIdOfOwner(owner) === userId;
  await deleteUnlessKept(isOfUser, isOfUser);
}

/**
 * When the console starts and nobody is signed in: deletes all but what is not sent yet, of which the browser may have
 * the only copy. A session ends also with the browser or during a night.
 */
export async function deleteAllButUnsentUploads(now = Date.now()): Promise<void> {
  const oldest = now - UNSENT_AUDIO_DAYS * DAY_MS;
  await deleteUnlessKept(
    (upload) => hasUnsentAudio(upload) && upload.createdAt > oldest,
    () => false,
  );
}

async function deleteUnlessKept(
  isUploadKept: (upload: UploadRecord) => boolean,
  isAudioKept: (audio: { owner: string }) => boolean,
): Promise<void> {
  // First, so that none of an upload that starts meanwhile is among them.
  const files = await listStoredKeys('files');
  const kept = new Set<string>();
  for (const upload of await listUploadDatabaseItems('uploads'))
    if (isUploadKept(upload)) kept.add(upload.id);
    else await deleteStoredItem('uploads', upload.id);
  for (const audio of await listUploadDatabaseItems('audio'))
    if (isAudioKept(audio)) kept.add(audio.uploadId);
    else await deleteStoredItem('audio', audio.jobId);
  for (const id of files) if (!kept.has(id)) await deleteStoredItem('files', id);
}
