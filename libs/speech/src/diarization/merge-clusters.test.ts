import { describe, expect, it } from 'vitest';
import { type Cluster, buildCluster } from './cluster.js';
import { computeNormalizedDistance, mergeClusters, MAX_MERGE_DISTANCE } from './merge-clusters.js';
import { GaussianClusterSampler } from './testing/gaussian-cluster-sampler.js';
import { ACOUSTIC_FEATURE_COUNT } from './within-speaker-covariance.js';

const MIDDLE = new Array<number>(ACOUSTIC_FEATURE_COUNT).fill(0);

describe('mergeClusters', () => {
  it.each([40, 400, 8_000])(
    '%d windows of one voice merge into one cluster, however they were split',
    (count) => {
      const windows = new GaussianClusterSampler(count).sample(MIDDLE, count);
      expect(mergeClusters(cutAlong(windows, 0, 8))).toHaveLength(1);
    },
  );

  it.each([0.5, 0.1, 0.02])('a share of %d of one voice is not another speaker', (share) => {
    const windows = inOrder(new GaussianClusterSampler(5).sample(MIDDLE, 4_000), 0);
    const cut = Math.round(share * windows.length);
    expect(computeNormalizedDistance(joined(windows.slice(0, cut)), joined(windows.slice(cut)))).toBeLessThan(
      MAX_MERGE_DISTANCE / 1.5,
    );
  });

  it.each([
    [200, 200],
    [2_000, 40],
    [12, 12],
  ])('two voices of %d and %d windows stay separate', (many, few) => {
    const cloud = new GaussianClusterSampler(9);
    const other = MIDDLE.map((_, index) => (index < 4 ? 4 : 0));
    const parts = [
      ...cutAlong(cloud.sample(MIDDLE, many), 1, 3),
      ...cutAlong(cloud.sample(other, few), 1, 2),
    ];
    expect(
      mergeClusters(parts)
        .map(({ weight }) => weight)
        .sort((a, b) => b - a),
    ).toEqual([many, few]);
  });

  it('no clusters yield no cluster', () => {
    expect(mergeClusters([])).toEqual([]);
  });
});

/** The windows in slices by one of their directions: the cut that sets the parts furthest apart. */
function cutAlong(windows: Cluster[], direction: number, parts: number): Cluster[] {
  const sorted = inOrder(windows, direction);
  const size = Math.ceil(sorted.length / parts);
  return Array.from({ length: parts }, (_, index) => joined(sorted.slice(index * size, (index + 1) * size)));
}

function inOrder(windows: Cluster[], direction: number): Cluster[] {
  return windows.sort((a, b) => (a.mean[direction] ?? 0) - (b.mean[direction] ?? 0));
}

function joined(windows: Cluster[]): Cluster {
  return buildCluster(windows.map(({ mean, weight }) => ({ vector: mean, weight })));
}
