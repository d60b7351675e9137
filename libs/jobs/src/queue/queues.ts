/**
 * Every queue and what it carries: the stage that a delivery was made for. It may be used for another of the queue.
 * Payloads are JSON; a new field is optional.
 */
export interface QueuePayloads {
  preprocess: { jobId: string };
  chunk: { jobId: string; index: number };
  aggregation: { jobId: string };
}

export type QueueName = keyof QueuePayloads;

export const QUEUE_NAMES: readonly QueueName[] = ['preprocess', 'chunk', 'aggregation'];
