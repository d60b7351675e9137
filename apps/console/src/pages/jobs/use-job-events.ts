import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { jobQueryOptions } from '../../api/jobs.ts';

const EVENTS = ['progress', 'completed', 'failed'] as const;

/** Loads the job again with each event of its stream, while it is processing. */
export function useReloadJobOnEvents(accountId: string, jobId: string, isProcessing: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isProcessing) return undefined;
    const stream = new EventSource(new URL(`api/jobs/${encodeURIComponent(jobId)}/stream`, document.baseURI));
    const load = () => void queryClient.invalidateQueries(jobQueryOptions(accountId, jobId));
    for (const event of EVENTS) stream.addEventListener(event, load);
    // The browser connects again by itself, unless the answer is an error: the request for the job shows which.
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) load();
    });
    return () => stream.close();
  }, [accountId, jobId, isProcessing, queryClient]);
}
