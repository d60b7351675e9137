import type { FloatVector } from './vector-table.js';

/** Sound that is taken for one voice. */
export interface Cluster {
  mean: Float64Array;
  /** Full windows of sound in it. */
  weight: number;
}

interface WeightedPoint {
  at: FloatVector;
  weight: number;
}

/** @param points gone through twice */
export function buildCluster(points: Iterable<WeightedPoint>): Cluster {
  let weight = 0;
  for (const point of points) weight += point.weight;
  let mean = new Float64Array(0);
  for (const { at, weight: own } of points) {
    if (mean.length === 0) mean = new Float64Array(at.length);
    const share = own / weight;
    for (let i = 0; i < mean.length; i += 1) mean[i] = (mean[i] ?? 0) + share * (at[i] ?? 0);
  }
  return { mean, weight };
}

export function mergeClusterPair(a: Cluster, b: Cluster): Cluster {
  return buildCluster([
    { at: a.mean, weight: a.weight },
    { at: b.mean, weight: b.weight },
  ]);
}

export function squaredDistance(a: FloatVector, b: FloatVector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return sum;
}

/**
 * Full windows of sound (about half a second each) that a voice has at least; with less it is one of the others. The
 * longer the file, the more odd sounds it holds, up to a length that no odd sound has.
 */
const MIN_WINDOWS = { share: 0.05, least: 2, most: 6 };

/** Without those too small to be told from chance; the greatest one stays in any case. */
export function dropSmallClusters(clusters: readonly Cluster[]): Cluster[] {
  const weights = clusters.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { share, least, most } = MIN_WINDOWS;
  const enough = Math.min(most, Math.max(least, share * total), Math.max(...weights));
  return clusters.filter(({ weight }) => weight >= enough);
}
