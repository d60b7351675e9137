import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { isNotFoundError } from '../api/client.ts';
import type { Job } from '../api/jobs.ts';
import { runWhileVisible } from '../lib/run-while-visible.ts';
import { jobProgressPollingQueryOptions } from './job-progress-polling.ts';
import { openEventStream } from './open-event-stream.ts';

export interface JobProgress {
  status: Job['status'];
  /** False before the first read of a job without a stream: it may have ended long ago. */
  isKnown: boolean;
  done: number;
  /** Null until the service knows it. */
  total: number | null;
  /** In the queue of streams; null unless the service named it. */
  position: number | null;
  reason: string | null;
}

const START: JobProgress = {
  status: 'processing',
  isKnown: true,
  done: 0,
  total: null,
  position: null,
  reason: null,
};

/** The state of a job, live while the tab is visible: by its stream, or by asking from time to time if too many streams are open. */
export function useJobProgress(accountId: string, jobId: string, onEnded?: () => void): JobProgress {
  const [streamed, setStreamed] = useState<JobProgress | null>(START);
  const isPolling = streamed === null;
  const { data: job, error } = useQuery({
    ...jobProgressPollingQueryOptions(accountId, jobId),
    enabled: isPolling,
  });
  const progress = streamed ?? toProgress(job, error);
  const isEnded = progress.status !== 'processing';
  useEffect(() => {
    if (isEnded) return undefined;
    return runWhileVisible(() =>
      followJob(
        jobId,
        (change) => setStreamed((before) => ({ ...(before ?? START), ...change })),
        () => setStreamed(null),
      ),
    );
  }, [jobId, isEnded]);
  const notifyEnded = useEffectEvent(() => onEnded?.());
  useEffect(() => {
    if (isEnded) notifyEnded();
  }, [isEnded]);
  return progress;
}

/** Progress by the last response and the last error. A job that was deleted has ended. */
function toProgress(job: Job | undefined, error: Error | null): JobProgress {
  if (error && isNotFoundError(error)) return { ...START, status: 'failed', reason: error.message };
  if (!job) return { ...START, isKnown: false };
  const { status, steps_done: done, steps_total: total, reason } = job;
  return { ...START, status, done, total, reason };
}

/** @returns a function that ends it */
function followJob(
  jobId: string,
  onChange: (change: Partial<JobProgress>) => void,
  onRefused: () => void,
): () => void {
  const listen =
    <T>(toChange: (data: T) => Partial<JobProgress>) =>
    ({ data }: MessageEvent<string>) =>
      onChange(toChange(JSON.parse(data) as T));
  const listeners = {
    waiting: listen<{ position: number }>(({ position }) => ({ position })),
    progress: listen<{ completed: number; total: number }>(({ completed, total }) => ({
      done: completed,
      total,
      position: null,
    })),
    completed: listen(() => ({ status: 'completed' })),
    failed: listen<{ reason: string }>(({ reason }) => ({ status: 'failed', reason })),
  };
  return openEventStream(jobId, listeners, onRefused);
}
