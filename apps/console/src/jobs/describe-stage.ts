import { texts } from '../texts/index.ts';

/** @param stage as events and failures name it: `preprocess`, `chunk:0`, … */
export function describeStage(stage: string): string {
  const [, chunk] = /^chunk:(\d+)$/.exec(stage) ?? [];
  if (chunk !== undefined) return texts.job.chunkStage(Number(chunk) + 1);
  return texts.job.stages[stage] ?? stage;
}
