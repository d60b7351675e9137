import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { jobQueryOptions } from '../../api/jobs.ts';
import { runWhileVisible } from '../../lib/run-while-visible.ts';
import { reloadOnJobEvents } from './reload-on-job-events.ts';

/** Loads the job again after events of its stream, while it is processing and the tab is visible. */
export function useReloadJobOnEvents(accountId: string, jobId: string, isProcessing: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isProcessing) return undefined;
    const load = () => queryClient.invalidateQueries(jobQueryOptions(accountId, jobId));
    return runWhileVisible(() => reloadOnJobEvents(jobId, load));
  }, [accountId, jobId, isProcessing, queryClient]);
}
