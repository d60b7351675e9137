import { randomUUID } from 'node:crypto';

const ROUNDS = 400;

/**
 * Median duration in milliseconds of a call to the limiter and of the cheapest call to the same store, measured
 * alternately.
 */
export async function callCost(
  take: (bucket: string) => Promise<unknown>,
  nothing: () => Promise<unknown>,
): Promise<{ limited: number; bare: number }> {
  const bucket = randomUUID();
  const limited: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    limited.push(await timed(() => take(bucket)));
    bare.push(await timed(nothing));
  }
  return { limited: median(limited), bare: median(bare) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
