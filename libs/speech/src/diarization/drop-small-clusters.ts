import type { Cluster } from './cluster.js';

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
