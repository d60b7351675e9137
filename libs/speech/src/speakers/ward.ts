import type { Breather } from './breather.js';
import { type Cluster, merged, squaredDistance } from './cluster.js';

/** Items that are compared each with each. */
const BLOCK = 800;

/**
 * Agglomerative clustering after Ward, of items that weigh differently, down to `count` clusters.
 *
 * Time and memory grow linearly with long input: blocks are clustered first, then their clusters. (The usual
 * library takes a full matrix of distances, gives every item the same weight and holds the thread meanwhile.)
 */
export async function wardClusters(
  items: readonly Cluster[],
  count: number,
  breather: Breather,
): Promise<Cluster[]> {
  if (items.length <= BLOCK) return agglomerate(items, count, breather);
  const fewer: Cluster[] = [];
  for (let at = 0; at < items.length; at += BLOCK) {
    fewer.push(...(await agglomerate(items.slice(at, at + BLOCK), count, breather)));
  }
  return wardClusters(fewer, count, breather);
}

async function agglomerate(items: readonly Cluster[], count: number, breather: Breather): Promise<Cluster[]> {
  const clusters = [...items];
  const nearest: Neighbour[] = [];
  for (const index of clusters.keys()) {
    nearest.push(nearestOf(clusters, index));
    await breather.breathe();
  }
  while (clusters.length > count) {
    await breather.breathe();
    const a = cheapest(nearest);
    const b = nearest[a]?.index ?? 0;
    join(clusters, nearest, Math.min(a, b), Math.max(a, b));
  }
  return clusters;
}

interface Neighbour {
  index: number;
  cost: number;
}

/** `b` goes into `a`, and the last cluster takes its place. */
function join(clusters: Cluster[], nearest: Neighbour[], a: number, b: number): void {
  const last = clusters.length - 1;
  clusters[a] = merged(itemAt(clusters, a), itemAt(clusters, b));
  clusters[b] = itemAt(clusters, last);
  nearest[b] = itemAt(nearest, last);
  clusters.pop();
  nearest.pop();
  for (const [index, neighbour] of nearest.entries()) {
    const lost = index === a || neighbour.index === a || neighbour.index === b;
    if (lost) nearest[index] = nearestOf(clusters, index);
    else if (neighbour.index === last) neighbour.index = b;
  }
}

/** Ward's costs only grow by merging, so no cluster becomes nearer than the nearest one was. */
function nearestOf(clusters: readonly Cluster[], index: number): Neighbour {
  const own = itemAt(clusters, index);
  const best: Neighbour = { index: -1, cost: Infinity };
  for (const [other, cluster] of clusters.entries()) {
    if (other === index) continue;
    const cost =
      ((own.weight * cluster.weight) / (own.weight + cluster.weight)) *
      squaredDistance(own.mean, cluster.mean);
    if (cost >= best.cost) continue;
    best.index = other;
    best.cost = cost;
  }
  return best;
}

function cheapest(nearest: readonly Neighbour[]): number {
  let best = 0;
  for (const [index, { cost }] of nearest.entries()) if (cost < itemAt(nearest, best).cost) best = index;
  return best;
}

function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index}.`);
  return item;
}
