import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { isNotFoundError } from '../api/client.ts';
import type { JobDetails } from '../api/jobs.ts';
import { registerPolledJob, jobProgressPollingQueryOptions } from './job-progress-polling.ts';

export interface JobProgress {
  status: JobDetails['status'];
  done: number;
  /** Null until the service knows it. */
  total: number | null;
  /** In the queue of streams; null unless the service named it. */
  position: number | null;
  reason: string | null;
}

const START: JobProgress = { status: 'processing', done: 0, total: null, position: null, reason: null };
/** Browsers open six connections to a host with HTTP/1.1; other requests need some. */
const MAX_STREAMS = 2;

let openStreams = 0;

/** The state of a job, live: by its stream, or by asking from time to time if too many streams are open. */
export function useJobProgress(accountId: string, jobId: string, onEnded?: () => void): JobProgress {
  const [streamed, setStreamed] = useState<JobProgress | null>(START);
  useEffect(() => {
    return openStream(
      jobId,
      (change) => setStreamed((progress) => ({ ...(progress ?? START), ...change })),
      () => setStreamed(null),
    );
  }, [jobId]);
  const isPolling = streamed === null;
  const { data: job, error } = useQuery({
    ...jobProgressPollingQueryOptions(accountId, jobId),
    enabled: isPolling,
  });
  const progress = streamed ?? toProgress(job, error);
  const isEnded = progress.status !== 'processing';
  const isPolled = isPolling && !isEnded;
  useEffect(() => (isPolled ? registerPolledJob() : undefined), [isPolled]);
  const notifyEnded = useEffectEvent(() => onEnded?.());
  useEffect(() => {
    if (isEnded) notifyEnded();
  }, [isEnded]);
  return progress;
}

/** Progress by the last response and the last error. A job that was deleted has ended. */
function toProgress(job: JobDetails | undefined, error: Error | null): JobProgress {
  if (error && isNotFoundError(error)) return { ...START, status: 'failed', reason: error.message };
  if (!job) return START;
  const { status, steps_done: done, steps_total: total, reason } = job;
  return { status, done, total, position: null, reason };
}

/** @returns a function that closes it */
function openStream(
  jobId: string,
  onChange: (change: Partial<JobProgress>) => void,
  onRefused: () => void,
): (() => void) | undefined {
  if (openStreams >= MAX_STREAMS) {
    onRefused();
    return undefined;
  }
  openStreams += 1;
  const url = new URL(`api/jobs/${encodeURIComponent(jobId)}/stream`, document.baseURI);
  const source = new EventSource(url);
  let isOpen = true;
  const close = () => {
    if (isOpen) openStreams -= 1;
    isOpen = false;
    source.close();
  };
  const listen = <T>(name: string, toChange: (data: T) => Partial<JobProgress>, isLast = false) => {
    source.addEventListener(name, (event: MessageEvent<string>) => {
      onChange(toChange(JSON.parse(event.data) as T));
      if (isLast) close();
    });
  };
  listen<{ position: number }>('waiting', ({ position }) => ({ position }));
  listen<{ completed: number; total: number }>('progress', ({ completed, total }) => ({
    done: completed,
    total,
    position: null,
  }));
  listen('completed', () => ({ status: 'completed' }), true);
  listen<{ reason: string }>('failed', ({ reason }) => ({ status: 'failed', reason }), true);
  source.addEventListener('error', () => {
    // After a lost connection the browser connects again by itself; after a refusal it does not.
    if (source.readyState !== EventSource.CLOSED || !isOpen) return;
    close();
    onRefused();
  });
  return close;
}
