import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { sessionQueryOptions } from '../../api/queries.ts';
import { buildUploadOwnerKey } from '../../uploads/owner.ts';
import { UploadManager, type UploadWithProgress } from '../../uploads/upload-manager.ts';

let shared: UploadManager | undefined;

/** The uploads of the account. The manager outlives the page, so that uploads go on while another page is shown. */
export function useUploadManager(): { manager: UploadManager; uploads: readonly UploadWithProgress[] } {
  const queryClient = useQueryClient();
  const manager = getManager(queryClient);
  useEffect(() => {
    void manager.open();
  }, [manager]);
  return { manager, uploads: useSyncExternalStore(manager.subscribe, manager.getViews) };
}

function getManager(queryClient: QueryClient): UploadManager {
  shared ??= new UploadManager({
    readOwner: () => buildUploadOwnerKey(queryClient.getQueryData(sessionQueryOptions.queryKey)),
    // The response leads to the sign-in page, or to the message about the other account.
    onSessionChanged: () => void queryClient.refetchQueries(sessionQueryOptions),
  });
  return shared;
}
