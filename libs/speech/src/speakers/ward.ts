import { agglomerate } from './agglomerate.js';
import type { Breather } from './breather.js';
import { type Cluster, squaredDistance } from './cluster.js';

/** Clustering after Ward, down to `count` clusters. */
export function wardClusters(
  items: Iterable<Cluster>,
  count: number,
  breather: Breather,
): Promise<Cluster[]> {
  return agglomerate(items, wardCost, { count, cost: Infinity }, breather);
}

function wardCost(a: Cluster, b: Cluster): number {
  return ((a.weight * b.weight) / (a.weight + b.weight)) * squaredDistance(a.mean, b.mean);
}
