import { type Cluster, mergeClusterPair, squaredDistance } from './cluster.js';

/** When two clusters are two voices. */
export interface MergeLimits {
  /** As `MARGIN`, or another. */
  threshold: number;
  /** So many clusters are left at most, however far apart; any number when left out. */
  maxClusters?: number;
}

/** How much further apart than the parts of one voice two clusters must be to be two voices. */
export const MERGE_THRESHOLD = 2.1;
/** How much more that is for a cluster of one window: few windows are one utterance, which has a tone of its own. */
const SINGLE_WINDOW_PENALTY = 0.6;

interface Pair {
  a: number;
  b: number;
  distance: number;
}

/** Joins clusters, the most alike first, until no two of them could be parts of one voice. */
export function mergeClusters(
  clusters: readonly Cluster[],
  { threshold: margin, maxClusters: most = Infinity }: MergeLimits = { threshold: MERGE_THRESHOLD },
): Cluster[] {
  const left = [...clusters];
  for (;;) {
    const pair = findClosestPair(left);
    if (!pair || (pair.distance >= margin && left.length <= most)) return left;
    const [a, b] = [left[pair.a], left[pair.b]];
    if (!a || !b) return left;
    left[pair.a] = mergeClusterPair(a, b);
    left.splice(pair.b, 1);
  }
}

function findClosestPair(clusters: readonly Cluster[]): Pair | undefined {
  let best: Pair | undefined;
  for (const [a, first] of clusters.entries()) {
    for (const [offset, second] of clusters.slice(a + 1).entries()) {
      const apart = normalizedDistance(first, second);
      if (!best || apart < best.distance) best = { a, b: a + 1 + offset, distance: apart };
    }
  }
  return best;
}

/**
 * Distance of two clusters in units of the greatest that two parts of one voice can have.
 *
 * One voice scatters by one in each direction. However it is cut in two, the mean of a part that holds the share `p`
 * lies no further than `sqrt(2 ln(1/p))` from the middle, and the other part as much nearer as it is greater.
 * The unit does not grow with the length of the file, as that of an information criterion would.
 */
export function normalizedDistance(a: Cluster, b: Cluster): number {
  const smaller = Math.min(a.weight, b.weight);
  const share = smaller / (a.weight + b.weight);
  const reach = (Math.sqrt(2 * Math.log(1 / share)) / (1 - share)) * (1 + SINGLE_WINDOW_PENALTY / smaller);
  // Means of few windows lie apart by chance alone.
  const chance = a.mean.length * (1 / a.weight + 1 / b.weight);
  return Math.sqrt(Math.max(0, squaredDistance(a.mean, b.mean) - chance)) / reach;
}
