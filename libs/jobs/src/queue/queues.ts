/** Every queue and what it carries. Payloads are JSON; a new field is optional. */
export interface QueuePayloads {
  preprocess: { jobId: string };
  chunk: { jobId: string; index: number };
  aggregation: { jobId: string };
}

export type QueueName = keyof QueuePayloads;

export const QUEUE_NAMES: readonly QueueName[] = ['preprocess', 'chunk', 'aggregation'];
