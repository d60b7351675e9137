import type { PollingLoopLogger } from './outbox/polling-loop.js';
import type { JobQueueOptions } from './queue/queue-options.js';

export const JOBS_OPTIONS = Symbol('JOBS_OPTIONS');
export const JOB_QUEUE = Symbol('JOB_QUEUE');

export interface JobsOptions {
  queue: JobQueueOptions;
  logger: PollingLoopLogger;
  /** Polling interval of the outbox when nothing wakes the relay. */
  relayIntervalMs: number;
}
