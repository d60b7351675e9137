import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { jobQueryOptions } from '../../api/jobs.ts';
import { reloadOnJobEvents } from './reload-on-job-events.ts';

/** Loads the job again after events of its stream, while it is processing. */
export function useReloadJobOnEvents(accountId: string, jobId: string, isProcessing: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isProcessing) return undefined;
    const url = new URL(`api/jobs/${encodeURIComponent(jobId)}/stream`, document.baseURI);
    return reloadOnJobEvents(url, () => queryClient.invalidateQueries(jobQueryOptions(accountId, jobId)));
  }, [accountId, jobId, isProcessing, queryClient]);
}
