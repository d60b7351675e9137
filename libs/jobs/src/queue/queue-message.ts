import type { QueueName, QueuePayloads } from './queues.js';

/** A message of a queue, with an id that makes adding it again harmless. */
export interface QueueMessage<N extends QueueName = QueueName> {
  queue: N;
  /** Letters, digits and dashes; a queue holds an id at most once. */
  id: string;
  payload: QueuePayloads[N];
}

/** What the handler of a message may say became of it. */
export type HandlerOutcome = 'done' | 'failed' | 'retried' | 'stale' | 'idle';

/**
 * What became of a message. `failed`: its work failed, or its handler threw. `retried`: it comes again as another
 * message. `stale`: another processor had the work. `idle`: there was nothing to do. `returned`: a closing consumer
 * aborted it, and the queue has it again. `done`: none of these.
 */
export type QueueMessageOutcome = HandlerOutcome | 'returned';

export interface QueueMessageReport {
  queue: QueueName;
  /** Milliseconds between adding and the start of the handler. */
  waitMs: number;
  /** Milliseconds the handler ran. */
  runMs: number;
  outcome: QueueMessageOutcome;
}

export interface QueueCounts {
  waiting: number;
  active: number;
}

export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

const ID_PATTERN = /^(?!\d+$)[A-Za-z0-9-]{1,200}$/;

/**
 * Ids that both servers accept: letters, digits and dashes, at least one of them not a digit.
 * @throws TypeError for any other id: a mistake of the caller, never of the queue
 */
export function assertQueueMessageId(id: string): void {
  if (!ID_PATTERN.test(id))
    throw new TypeError(`invalid queue message id: ${JSON.stringify(id.slice(0, 200))}`);
}
