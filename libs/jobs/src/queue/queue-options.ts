import type { Pool } from 'pg';
import type { QueueMessageReport } from './queue-message.js';

export interface QueueLogger {
  warn(message: string, ...details: unknown[]): void;
}

/** All in milliseconds. */
export interface QueueTimings {
  /** The longest that one call to the queue may take before it counts as unreachable. Default 2,000. */
  callTimeoutMs: number;
  /** A message whose consumer has not renewed its lock for this long is stalled. Default 30,000. */
  lockDurationMs: number;
  /** How often stalled messages are looked for; one that is found a second time returns to the queue. Default 10,000. */
  stalledCheckIntervalMs: number;
  /** How long an idle consumer waits for a notification before it polls. Default 2,000. */
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

export type QueueServerOptions = (PostgresQueueOptions | RedisQueueOptions) & {
  logger: QueueLogger;
  /** Called for every message after its handler has ended. */
  onMessageHandled?: (report: QueueMessageReport) => void;
  timings?: Partial<QueueTimings>;
};
