import type { QueueName, QueuePayloads } from './queues.js';

export interface QueueMessage<N extends QueueName = QueueName> {
  queue: N;
  /** Letters, digits and dashes; a queue holds an id at most once. */
  id: string;
  payload: QueuePayloads[N];
}

export type QueueHandlerOutcome = 'done' | 'failed' | 'retried' | 'stale' | 'idle';

/**
 * `failed`: the work failed, or the handler threw. `retried`: another message follows. `stale`: another
 * processor had the work. `idle`: there was nothing to do. `returned`: a closing consumer aborted it, or the handler
 * threw `ReturnMessageToQueueError`; the message is in the queue again. `done`: none of these.
 */
export type QueueMessageOutcome = QueueHandlerOutcome | 'returned';

export interface QueueMessageReport {
  queue: QueueName;
  /** Milliseconds before the handler started. */
  waitMs: number;
  /** Milliseconds of the handler. */
  runMs: number;
  outcome: QueueMessageOutcome;
}

export interface QueueMessageCounts {
  waiting: number;
  active: number;
}

export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

/**
 * Thrown by a handler that cannot work now: its message goes back to the queue for another consumer, and its own consumer
 * takes none before `resumed` resolves.
 */
export class ReturnMessageToQueueError extends Error {
  override readonly name = 'ReturnMessageToQueueError';

  constructor(readonly resumed: Promise<void>) {
    super('the message is returned to the queue');
  }
}

const ID_PATTERN = /^(?!\d+$)[A-Za-z0-9-]{1,200}$/;

/**
 * Both servers accept letters, digits and dashes, at least one not a digit. @throws TypeError for any other
 * id
 */
export function assertQueueMessageId(id: string): void {
  if (!ID_PATTERN.test(id))
    throw new TypeError(`invalid queue message id: ${JSON.stringify(id.slice(0, 200))}`);
}
