import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { getSharedUploadManager } from '../../uploads/shared-upload-manager.ts';
import type { UploadManager } from '../../uploads/upload-manager.ts';
import type { UploadWithProgress } from '../../uploads/upload-with-progress.ts';

/** The uploads of an account and user. */
export function useUploadManager(owner: string): {
  manager: UploadManager;
  uploads: readonly UploadWithProgress[];
} {
  const queryClient = useQueryClient();
  const manager = getSharedUploadManager(queryClient);
  useEffect(() => {
    void manager.open();
  }, [manager]);
  const views = useSyncExternalStore(manager.subscribe, manager.getViews);
  // The manager may still have those of the account or user before.
  const uploads = useMemo(() => views.filter((view) => view.owner === owner), [views, owner]);
  return { manager, uploads };
}
