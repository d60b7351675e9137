import type { HandlerOutcome } from './queue-options.js';
import type { QueueName, QueuePayloads } from './queues.js';

/** One delivery: a queue job with an id that makes adding it again harmless. */
export interface QueueMessage<N extends QueueName = QueueName> {
  queue: N;
  /** Letters, digits and dashes; the same id is held at most once by the queue. */
  id: string;
  payload: QueuePayloads[N];
}

/** Handles a delivery; @returns what became of it, where that is not `done`. */
export type QueueMessageHandler<N extends QueueName> = (
  payload: QueuePayloads[N],
  signal: AbortSignal,
) => Promise<HandlerOutcome | void>;

export interface Consumer {
  /** False when the consumer has lost its connection and has not found it again. */
  readonly isConsuming: boolean;
  /**
   * Takes no further delivery, waits `graceMs` for the running handlers, then aborts their signals and waits a
   * few seconds more. The delivery of a handler that rejects after its signal was aborted goes back to the queue
   * at once; that of one which does not end at all is handed out again as if its process had died.
   */
  close(graceMs: number): Promise<void>;
}

export interface QueueCounts {
  waiting: number;
  active: number;
}

/**
 * The queue port. It only delivers: late, twice or never is possible, rows in Postgres decide.
 * A queue that cannot be reached makes `add`, `counts` and `ping` throw `QueueUnavailableError` within a bounded time.
 */
export interface JobQueue {
  readonly kind: 'postgres' | 'redis';
  /**
   * An id that the queue holds already, waiting or being handled, is left as it is.
   * @throws TypeError for an id out of form
   */
  add(deliveries: QueueMessage[]): Promise<void>;
  /** Also when the queue is away: the consumer then is not `consuming` yet and starts when it can. */
  consume<N extends QueueName>(
    queue: N,
    concurrency: number,
    handler: QueueMessageHandler<N>,
  ): Promise<Consumer>;
  counts(queue: QueueName): Promise<QueueCounts>;
  ping(): Promise<void>;
  /** Closes the consumers that are still open, with no grace, and then the connections. */
  close(): Promise<void>;
}

export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}
