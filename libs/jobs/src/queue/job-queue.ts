import type { QueueName, QueuePayloads } from './queues.js';

/** One delivery: a queue job with an id that makes adding it again harmless. */
export interface Delivery<N extends QueueName = QueueName> {
  queue: N;
  /** Letters, digits and dashes; the same id is held at most once by the queue. */
  id: string;
  payload: QueuePayloads[N];
}

export type DeliveryHandler<N extends QueueName> = (
  payload: QueuePayloads[N],
  signal: AbortSignal,
) => Promise<void>;

export interface Consumer {
  /** False when the consumer has lost its connection and has not found it again. */
  readonly consuming: boolean;
  /** Takes no further delivery, aborts the handlers' signals after `graceMs`, waits for them. */
  close(graceMs: number): Promise<void>;
}

export interface QueueCounts {
  waiting: number;
  active: number;
}

/**
 * The queue port. It only delivers: late, twice or never is possible, rows in Postgres decide.
 * A queue that cannot be reached makes `add`, `counts` and `ping` throw `QueueUnavailable` within a bounded time.
 */
export interface JobQueue {
  readonly kind: 'postgres' | 'redis';
  add(deliveries: Delivery[]): Promise<void>;
  consume<N extends QueueName>(queue: N, concurrency: number, handler: DeliveryHandler<N>): Promise<Consumer>;
  counts(queue: QueueName): Promise<QueueCounts>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}
