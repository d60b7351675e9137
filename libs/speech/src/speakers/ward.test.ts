import { describe, expect, it } from 'vitest';
import { Breather } from './breather.js';
import type { Cluster } from './cluster.js';
import { Cloud } from './testing/cloud.js';
import { wardClusters } from './ward.js';

const breather = new Breather(new AbortController().signal);

describe('wardClusters', () => {
  it('finds the clouds, with the weight of all of their items', async () => {
    const cloud = new Cloud(7);
    const items = shuffled([
      ...cloud.around([0, 0], 30),
      ...cloud.around([20, 0], 10),
      ...cloud.around([0, 20], 5),
    ]);
    const found = await wardClusters(items, 3, breather);
    expect(found.map(({ weight }) => weight).sort((a, b) => a - b)).toEqual([5, 10, 30]);
    const heaviest = found.find(({ weight }) => weight === 30);
    expect(Math.hypot(...(heaviest?.mean ?? []))).toBeLessThan(1);
  });

  it('loses nothing when there is more than it compares at once', async () => {
    const cloud = new Cloud(11);
    const items = shuffled([...cloud.around([0, 0], 1_500), ...cloud.around([30, 0], 700)]);
    const found = await wardClusters(items, 2, breather);
    expect(found.map(({ weight }) => Math.round(weight)).sort((a, b) => a - b)).toEqual([700, 1_500]);
  });

  it('lets heavy items hold their place', async () => {
    const items = [item([0], 100), item([4], 1), item([6], 1), item([40], 1)];
    const found = await wardClusters(items, 2, breather);
    expect(found.map(({ weight }) => weight).sort((a, b) => a - b)).toEqual([1, 102]);
  });

  it('gives back what is few enough already', async () => {
    expect(await wardClusters([item([1], 2)], 3, breather)).toEqual([item([1], 2)]);
    expect(await wardClusters([], 3, breather)).toEqual([]);
  });
});

function item(mean: number[], weight: number): Cluster {
  return { mean: Float64Array.from(mean), weight };
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((each, index) => ({ each, at: (index * 7919) % 104_729 }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}
