import { agglomerate } from './agglomerate.js';
import type { CooperativeYield } from './cooperative-yield.js';
import { type Cluster, squaredDistance } from './cluster.js';

/** Clustering after Ward, down to `count` clusters. */
export function clusterByWard(
  items: Iterable<Cluster>,
  count: number,
  breather: CooperativeYield,
): Promise<Cluster[]> {
  return agglomerate(items, wardCost, { count, cost: Infinity }, breather);
}

function wardCost(a: Cluster, b: Cluster): number {
  return ((a.weight * b.weight) / (a.weight + b.weight)) * squaredDistance(a.mean, b.mean);
}
