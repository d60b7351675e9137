import type { Pool } from 'pg';
import type { QueueMessageReport } from './queue-message.js';

export interface QueueLogger {
  warn(message: string, ...details: unknown[]): void;
}

/** Milliseconds. */
export interface QueueTimings {
  /** Maximum duration of a call before the queue counts as unreachable. Default 2,000. */
  callTimeoutMs: number;
  /** Age of an unrenewed lock after which its message is stalled. Default 30,000. */
  lockDurationMs: number;
  /** A message found stalled in two checks returns to the queue. Default 10,000. */
  stalledCheckIntervalMs: number;
  /** Polling interval of an idle consumer without notifications. Default 2,000. */
  idlePollMs: number;
  /** Delay after a failed poll. Default 500. */
  retryDelayMs: number;
  /** Wait of `close` after it has aborted the handlers. Default 5,000. */
  abortGraceMs: number;
}

export const DEFAULT_QUEUE_TIMINGS: Readonly<QueueTimings> = {
  callTimeoutMs: 2_000,
  lockDurationMs: 30_000,
  stalledCheckIntervalMs: 10_000,
  idlePollMs: 2_000,
  retryDelayMs: 500,
  abortGraceMs: 5_000,
};

export interface PostgresQueueOptions {
  kind: 'postgres';
  /** For a connection string the queue owns the pool; a pool of `createQueuePool` stays the caller's. */
  connection: string | Pool;
}

export interface RedisQueueOptions {
  kind: 'redis';
  url: string;
  /** Separates services that share a server. Default `zephyr`. */
  prefix?: string;
}

export type QueueServerOptions = (PostgresQueueOptions | RedisQueueOptions) & {
  logger: QueueLogger;
  /** Called for every message after its handler has ended. */
  onMessageHandled?: (report: QueueMessageReport) => void;
  timings?: Partial<QueueTimings>;
};
