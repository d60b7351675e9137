import type { QueryClient } from '@tanstack/react-query';
import { sessionQueryOptions } from '../api/queries.ts';
import { buildUploadOwnerKey } from './owner.ts';
import { UploadManager } from './upload-manager.ts';

let shared: UploadManager | undefined;

/** The uploads of the tab. The manager outlives the pages that use it, so that uploads go on while others are shown. */
export function getSharedUploadManager(queryClient: QueryClient): UploadManager {
  if (shared) return shared;
  const readOwner = () => buildUploadOwnerKey(queryClient.getQueryData(sessionQueryOptions.queryKey));
  const manager = new UploadManager({
    readOwner,
    // The response leads to the sign-in page, or to the message about the other account.
    onSessionChanged: () => void queryClient.refetchQueries(sessionQueryOptions),
  });
  openForEachOwner(queryClient, manager, readOwner);
  // Pages inside the console may be changed meanwhile, so that `LeaveGuard` does not ask.
  globalThis.addEventListener('beforeunload', (event) => {
    if (manager.hasAudioOnlyInTab()) event.preventDefault();
  });
  shared = manager;
  return manager;
}

/** Uploads go on when the session shows their account again, whatever page that happens on. */
function openForEachOwner(
  queryClient: QueryClient,
  manager: UploadManager,
  readOwner: () => string | null,
): void {
  let opened = readOwner();
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== sessionQueryOptions.queryKey[0]) return;
    const owner = readOwner();
    if (owner === opened) return;
    opened = owner;
    // Without a session, a part that is being sent may arrive.
    if (owner !== null) void manager.open();
  });
}
