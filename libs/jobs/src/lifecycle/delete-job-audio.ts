import type { ObjectStore } from '@app/storage';
import { buildWorkPrefix } from '../stages/object-keys.js';

/** Deletes the audio of an ended job and its intermediate objects; an upload in parts is aborted. */
export async function deleteJobAudio(
  store: ObjectStore,
  { id, audioKey, uploadId }: { id: string; audioKey: string; uploadId: string | null },
): Promise<void> {
  if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
  await store.delete(audioKey);
  await store.deletePrefix(buildWorkPrefix(id));
}
