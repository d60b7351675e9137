import { randomUUID } from 'node:crypto';

const ROUNDS = 400;

/**
 * Median duration in milliseconds of a call to the limiter and of the cheapest call to the same store, measured
 * alternately.
 */
export async function measureCallCost(
  take: (bucket: string) => Promise<unknown>,
  baselineCall: () => Promise<unknown>,
): Promise<{ limited: number; baseline: number }> {
  const bucket = randomUUID();
  const limited: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    limited.push(await measureTime(() => take(bucket)));
    baseline.push(await measureTime(baselineCall));
  }
  return { limited: median(limited), baseline: median(baseline) };
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
