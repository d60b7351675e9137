import { BullJobQueue } from './bull-job-queue.js';
import type { JobQueue } from './job-queue.js';
import { OutageLog } from './outage-log.js';
import { buildPostgresBackend } from './postgres-backend.js';
import { DEFAULT_TIMINGS, type JobQueueOptions } from './queue-options.js';
import { buildRedisBackend } from './redis-backend.js';

/** The queue over Postgres or Redis. Returns at once: a store that is away shows at the first use, not here. */
export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { logger, onMessageHandled } = options;
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const outage = new OutageLog(options.kind, logger);
  const parts = { timings, logger, outage, onMessageHandled };
  return options.kind === 'redis'
    ? new BullJobQueue(buildRedisBackend(options, timings, outage), parts)
    : new BullJobQueue(buildPostgresBackend(options, timings, outage), parts);
}
