/**
 * JSON payloads. They name the stage that the message was sent for; the worker may claim another one of the
 * queue. New fields must be optional.
 */
export interface QueuePayloads {
  fetch: { jobId: string };
  preprocess: { jobId: string };
  chunk: { jobId: string; index: number };
  aggregation: { jobId: string };
}

export type QueueName = keyof QueuePayloads;

export const QUEUE_NAMES: readonly QueueName[] = ['fetch', 'preprocess', 'chunk', 'aggregation'];
