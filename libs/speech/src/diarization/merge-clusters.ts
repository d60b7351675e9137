import { type Cluster, mergeClusterPair, computeSquaredDistance } from './cluster.js';

export interface MergeLimits {
  /** Normalized distance from which on clusters are different speakers. */
  threshold: number;
  /** Clusters are merged until no more than this are remaining, however different; unlimited by default. */
  maxClusters?: number;
  /** Clusters are not merged below this, however similar; one by default. */
  minClusters?: number;
}

export const MAX_MERGE_DISTANCE = 2.1;
/** Added for clusters of few windows, because single utterances vary in tone. */
const SINGLE_WINDOW_PENALTY = 0.6;

interface Pair {
  a: number;
  b: number;
  distance: number;
}

export function mergeClusters(
  clusters: readonly Cluster[],
  { threshold, maxClusters = Infinity, minClusters = 1 }: MergeLimits = { threshold: MAX_MERGE_DISTANCE },
): Cluster[] {
  const remaining = [...clusters];
  for (;;) {
    const pair = remaining.length > minClusters ? findClosestPair(remaining) : undefined;
    if (!pair || (pair.distance >= threshold && remaining.length <= maxClusters)) return remaining;
    const [a, b] = [remaining[pair.a], remaining[pair.b]];
    if (!a || !b) return remaining;
    remaining[pair.a] = mergeClusterPair(a, b);
    remaining.splice(pair.b, 1);
  }
}

function findClosestPair(clusters: readonly Cluster[]): Pair | undefined {
  let best: Pair | undefined;
  for (const [a, first] of clusters.entries()) {
    for (const [offset, second] of clusters.slice(a + 1).entries()) {
      const distance = computeNormalizedDistance(first, second);
      if (!best || distance < best.distance) best = { a, b: a + 1 + offset, distance };
    }
  }
  return best;
}

/**
 * Distance of two clusters relative to the largest distance that two parts of one speaker can have. One speaker
 * scatters with variance one in every dimension. However it is split, the mean of a part with the share `p` lies at
 * most `sqrt(2 ln(1/p))` from the overall mean, the other part proportionally closer. Unlike an information criterion
 * this does not grow with the length of the file.
 */
export function computeNormalizedDistance(a: Cluster, b: Cluster): number {
  const smaller = Math.min(a.weight, b.weight);
  const share = smaller / (a.weight + b.weight);
  const reach = (Math.sqrt(2 * Math.log(1 / share)) / (1 - share)) * (1 + SINGLE_WINDOW_PENALTY / smaller);
  // The means of few windows differ by chance alone.
  const chance = a.mean.length * (1 / a.weight + 1 / b.weight);
  return Math.sqrt(Math.max(0, computeSquaredDistance(a.mean, b.mean) - chance)) / reach;
}
