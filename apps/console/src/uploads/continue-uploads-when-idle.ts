import type { QueryClient } from '@tanstack/react-query';
import { runWhenIdle } from '../lib/run-when-idle.ts';
import { listUploadDatabaseItems } from './upload-database.ts';
import { hasUnsentAudio, type UploadRecord } from './upload-record.ts';

/**
 * Continues the uploads of the owner whatever page the tab begins with. What that needs is not part of the first paint,
 * and is loaded only if there are some.
 *
 * @returns a function that cancels it
 */
export function continueUploadsWhenIdle(queryClient: QueryClient, owner: string): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel();
    // Without storage there are none.
    cancel = runWhenIdle(() => void continueUploads(queryClient, owner).catch(() => undefined));
  };
  schedule();
  // The script may not have been loaded.
  globalThis.addEventListener('online', schedule);
  return () => {
    globalThis.removeEventListener('online', schedule);
    cancel();
  };
}

async function continueUploads(queryClient: QueryClient, owner: string): Promise<void> {
  const uploads = await listUploadDatabaseItems('uploads');
  const isOpen = (upload: UploadRecord) => hasUnsentAudio(upload) || upload.isCancelled === true;
  if (!uploads.some((upload) => upload.owner === owner && isOpen(upload))) return;
  const { getSharedUploadManager } = await import('./shared-upload-manager.ts');
  await getSharedUploadManager(queryClient).open();
}
