import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { sessionQueryOptions } from '../../api/queries.ts';
import { buildUploadOwnerKey } from '../../uploads/owner.ts';
import { UploadManager } from '../../uploads/upload-manager.ts';
import type { UploadWithProgress } from '../../uploads/upload-with-progress.ts';

let shared: UploadManager | undefined;

/** The uploads of an account and user. The manager outlives the page, so that uploads go on while another page is shown. */
export function useUploadManager(owner: string): {
  manager: UploadManager;
  uploads: readonly UploadWithProgress[];
} {
  const queryClient = useQueryClient();
  const manager = getManager(queryClient);
  useEffect(() => {
    void manager.open();
  }, [manager]);
  const views = useSyncExternalStore(manager.subscribe, manager.getViews);
  // The manager may still have those of the account or user before.
  const uploads = useMemo(() => views.filter((view) => view.owner === owner), [views, owner]);
  return { manager, uploads };
}

function getManager(queryClient: QueryClient): UploadManager {
  if (shared) return shared;
  const readOwner = () => buildUploadOwnerKey(queryClient.getQueryData(sessionQueryOptions.queryKey));
  const manager = new UploadManager({
    readOwner,
    // The response leads to the sign-in page, or to the message about the other account.
    onSessionChanged: () => void queryClient.refetchQueries(sessionQueryOptions),
  });
  openForEachOwner(queryClient, manager, readOwner);
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
