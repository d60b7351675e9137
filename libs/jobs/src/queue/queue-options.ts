import type { Pool } from 'pg';
import type { QueueName } from './queues.js';

export interface QueueLogger {
  warn(message: string, ...details: unknown[]): void;
}

/**
 * What became of a delivery. `failed`: what it was about failed, or its handler threw. `retried`: it comes again as
 * another delivery. `stale`: somebody else had what it was about. `idle`: there was nothing to do. `returned`: it was
 * stopped by a close and the queue has it again. `done`: none of these.
 */
export type QueueMessageOutcome = HandlerOutcome | 'returned';

/** What a handler may say became of its delivery. */
export type HandlerOutcome = 'done' | 'failed' | 'retried' | 'stale' | 'idle';

export interface QueueMessageReport {
  queue: QueueName;
  /** Milliseconds between being added and being handed over. */
  waitMs: number;
  /** Milliseconds the handler ran. */
  runMs: number;
  outcome: QueueMessageOutcome;
}

/** All in milliseconds. */
export interface QueueTimings {
  /** The longest that one call to the queue may take before it counts as unreachable. Default 2,000. */
  callTimeoutMs: number;
  /** A delivery whose consumer has not renewed it for this long is lost. Default 30,000. */
  lockDurationMs: number;
  /** How often lost deliveries are looked for; the second look in which one is seen hands it out again. Default 10,000. */
  stalledCheckIntervalMs: number;
  /** How long an idle consumer waits for a wake-up before it looks by itself. Default 2,000. */
  idlePollMs: number;
  /** How long a consumer that could not reach the queue waits before it tries again. Default 500. */
  retryDelayMs: number;
  /** How long a close waits for handlers after it has aborted their signals. Default 5,000. */
  abortGraceMs: number;
}

export const DEFAULT_TIMINGS: Readonly<QueueTimings> = {
  callTimeoutMs: 2_000,
  lockDurationMs: 30_000,
  stalledCheckIntervalMs: 10_000,
  idlePollMs: 2_000,
  retryDelayMs: 500,
  abortGraceMs: 5_000,
};

export interface PostgresQueueOptions {
  kind: 'postgres';
  /** A connection string, for which the queue keeps a pool of its own, or a pool made by `createQueuePool`, which stays the caller's. */
  connection: string | Pool;
}

export interface RedisQueueOptions {
  kind: 'redis';
  url: string;
  /** Keeps the keys of several services apart on one server. Default `zephyr`. */
  prefix?: string;
}

export type JobQueueOptions = (PostgresQueueOptions | RedisQueueOptions) & {
  logger: QueueLogger;
  /** Told of every delivery after its handler has ended; must not throw. */
  onMessageHandled?: (report: QueueMessageReport) => void;
  timings?: Partial<QueueTimings>;
};
