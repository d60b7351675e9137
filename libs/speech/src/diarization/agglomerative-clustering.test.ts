import { describe, expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import type { Cluster } from './cluster.js';
import { GaussianClusterSampler } from './testing/gaussian-cluster-sampler.js';
import { clusterByWard } from './agglomerative-clustering.js';

const yielder = new CooperativeYielder(new AbortController().signal);

describe('clusterByWard', () => {
  it('finds the point clouds with the weight of all their items', async () => {
    const cloud = new GaussianClusterSampler(7);
    const items = shuffled([
      ...cloud.sample([0, 0], 30),
      ...cloud.sample([20, 0], 10),
      ...cloud.sample([0, 20], 5),
    ]);
    const found = await clusterByWard(items, 3, yielder);
    expect(found.map(({ weight }) => weight).sort((a, b) => a - b)).toEqual([5, 10, 30]);
    const heaviest = found.find(({ weight }) => weight === 30);
    expect(Math.hypot(...(heaviest?.mean ?? []))).toBeLessThan(1);
  });

  it('no item is lost when there are more than a block', async () => {
    const cloud = new GaussianClusterSampler(11);
    const items = shuffled([...cloud.sample([0, 0], 1_500), ...cloud.sample([30, 0], 700)]);
    const found = await clusterByWard(items, 2, yielder);
    expect(found.map(({ weight }) => Math.round(weight)).sort((a, b) => a - b)).toEqual([700, 1_500]);
  });

  it('heavy items dominate the cluster mean', async () => {
    const items = [item([0], 100), item([4], 1), item([6], 1), item([40], 1)];
    const found = await clusterByWard(items, 2, yielder);
    expect(found.map(({ weight }) => weight).sort((a, b) => a - b)).toEqual([1, 102]);
  });

  it('few items are returned unchanged', async () => {
    expect(await clusterByWard([item([1], 2)], 3, yielder)).toEqual([item([1], 2)]);
    expect(await clusterByWard([], 3, yielder)).toEqual([]);
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
