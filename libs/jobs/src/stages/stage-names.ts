import type { QueueName } from '../queue/queues.js';

/** The steps of a job, as events and failures name them. */
export type StageName = 'preprocess' | `chunk:${number}` | 'aggregation';

export function buildChunkStageName(index: number): StageName {
  return `chunk:${index}`;
}

export function getStageQueue(name: StageName): QueueName {
  return name === 'preprocess' || name === 'aggregation' ? name : 'chunk';
}
