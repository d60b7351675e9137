import type { QueueName } from '../queue/queues.js';

/** As in events and failures, but for `fetch` (`getReportedStep`). */
export type StageName = 'fetch' | 'preprocess' | `chunk:${number}` | 'aggregation';

export function buildChunkStageName(index: number): StageName {
  return `chunk:${index}`;
}

export function getStageQueue(name: StageName): QueueName {
  return name === 'fetch' || name === 'preprocess' || name === 'aggregation' ? name : 'chunk';
}

/** Callers know no step before `preprocess`. @param stage a stage, or another cause of a failure such as `billing` */
export function getReportedStep(stage: string): string {
  return stage === 'fetch' ? 'preprocess' : stage;
}
