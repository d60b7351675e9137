import { type Cluster, merged, squaredDistance } from './cluster.js';

/** When two clusters are two voices. */
export interface JoinUntil {
  /** As `MARGIN`, or another. */
  margin: number;
  /** So many clusters are left at most, however far apart; any number when left out. */
  most?: number;
}

/** How much further apart than the parts of one voice two clusters must be to be two voices. */
export const MARGIN = 2.1;
/** How much more that is for a cluster of one window: few windows are one utterance, which has a tone of its own. */
const UTTERANCE = 0.6;

interface Pair {
  a: number;
  b: number;
  apart: number;
}

/** Joins clusters, the most alike first, until no two of them could be parts of one voice. */
export function joinParts(
  clusters: readonly Cluster[],
  { margin, most = Infinity }: JoinUntil = { margin: MARGIN },
): Cluster[] {
  const left = [...clusters];
  for (;;) {
    const pair = mostAlike(left);
    if (!pair || (pair.apart >= margin && left.length <= most)) return left;
    const [a, b] = [left[pair.a], left[pair.b]];
    if (!a || !b) return left;
    left[pair.a] = merged(a, b);
    left.splice(pair.b, 1);
  }
}

function mostAlike(clusters: readonly Cluster[]): Pair | undefined {
  let best: Pair | undefined;
  for (const [a, first] of clusters.entries()) {
    for (const [offset, second] of clusters.slice(a + 1).entries()) {
      const apart = apartness(first, second);
      if (!best || apart < best.apart) best = { a, b: a + 1 + offset, apart };
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
export function apartness(a: Cluster, b: Cluster): number {
  const smaller = Math.min(a.weight, b.weight);
  const share = smaller / (a.weight + b.weight);
  const reach = (Math.sqrt(2 * Math.log(1 / share)) / (1 - share)) * (1 + UTTERANCE / smaller);
  // Means of few windows lie apart by chance alone.
  const chance = a.mean.length * (1 / a.weight + 1 / b.weight);
  return Math.sqrt(Math.max(0, squaredDistance(a.mean, b.mean) - chance)) / reach;
}
