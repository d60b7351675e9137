import type { CooperativeYielder } from '@app/async';
import { type Cluster, mergeClusterPair, computeSquaredDistance } from './cluster.js';

/** Items that are compared pairwise. */
const BLOCK_SIZE = 800;
const NONE = -1;

/** Cost of merging two clusters. A merge must never make a later merge cheaper. */
export type MergeCostFunction = (a: Cluster, b: Cluster) => number;

/** Clustering stops at `count` clusters, or when the cheapest merge costs more than `cost` and at most `maxCount` remain. */
export interface ClusteringStopCriterion {
  count: number;
  cost: number;
  /** Unlimited by default. */
  maxCount?: number;
}

/**
 * Agglomerative clustering of weighted items, cheapest merge first. Items are clustered in blocks first, then the
 * clusters of all blocks, so time and memory grow linearly. (The usual library needs a full distance matrix, ignores
 * weights and blocks the event loop.)
 */
export async function clusterAgglomeratively(
  items: Iterable<Cluster>,
  cost: MergeCostFunction,
  until: ClusteringStopCriterion,
  yielder: CooperativeYielder,
): Promise<Cluster[]> {
  const reduced: Cluster[] = [];
  let count = 0;
  for (const block of splitIntoBlocks(items)) {
    count += block.length;
    // A block may hold other clusters than the next, so `maxCount` is for all of them together.
    reduced.push(...(await mergeAll(block, cost, { ...until, maxCount: Infinity }, yielder)));
  }
  if (count <= BLOCK_SIZE) return mergeAll(reduced, cost, until, yielder);
  // Recursion only pays off if the blocks could be reduced; otherwise it might never end.
  const worthwhile = reduced.length <= count / 2;
  return worthwhile
    ? clusterAgglomeratively(reduced, cost, until, yielder)
    : mergeAll(reduced, cost, until, yielder);
}

function* splitIntoBlocks(items: Iterable<Cluster>): Generator<Cluster[]> {
  let block: Cluster[] = [];
  for (const item of items) {
    block.push(item);
    if (block.length < BLOCK_SIZE) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

async function mergeAll(
  items: readonly Cluster[],
  cost: MergeCostFunction,
  until: ClusteringStopCriterion,
  yielder: CooperativeYielder,
): Promise<Cluster[]> {
  const clusters = [...items];
  const nearest: Neighbour[] = [];
  for (const index of clusters.keys()) {
    nearest.push(findNearest(clusters, index, cost));
    await yielder.yieldIfDue();
  }
  while (clusters.length > until.count) {
    const a = findCheapest(nearest);
    const { index: b, cost: least } = itemAt(nearest, a);
    const enough = clusters.length <= (until.maxCount ?? Infinity);
    if ((least > until.cost && enough) || least === Infinity) break;
    if (b === NONE) nearest[a] = findNearest(clusters, a, cost);
    else mergeNeighbours(clusters, nearest, { a: Math.min(a, b), b: Math.max(a, b) });
    await yielder.yieldIfDue();
  }
  return clusters;
}

interface Neighbour {
  /** `NONE` if there is no other cluster, or if the nearest one was merged and has to be searched again. */
  index: number;
  /** Merge cost; a lower bound while `index` is `NONE`. */
  cost: number;
}

/**
 * Merges `b` into `a` and moves the last cluster to index `b`. Merges never get cheaper, so the cost of a lost neighbour
 * remains a lower bound: its successor is searched only when that bound is the minimum.
 */
function mergeNeighbours(
  clusters: Cluster[],
  nearest: Neighbour[],
  { a, b }: { a: number; b: number },
): void {
  const last = clusters.length - 1;
  clusters[a] = mergeClusterPair(itemAt(clusters, a), itemAt(clusters, b));
  clusters[b] = itemAt(clusters, last);
  nearest[b] = itemAt(nearest, last);
  clusters.pop();
  nearest.pop();
  for (const [index, neighbour] of nearest.entries()) {
    const isOutdated = index === a || neighbour.index === a || neighbour.index === b;
    if (isOutdated) neighbour.index = NONE;
    else if (neighbour.index === last) neighbour.index = b;
  }
}

function findNearest(clusters: readonly Cluster[], index: number, cost: MergeCostFunction): Neighbour {
  const searched = itemAt(clusters, index);
  const best: Neighbour = { index: NONE, cost: Infinity };
  for (const [other, cluster] of clusters.entries()) {
    if (other === index) continue;
    const price = cost(searched, cluster);
    if (price >= best.cost) continue;
    best.index = other;
    best.cost = price;
  }
  return best;
}

function findCheapest(nearest: readonly Neighbour[]): number {
  let best = 0;
  for (const [index, { cost }] of nearest.entries()) if (cost < itemAt(nearest, best).cost) best = index;
  return best;
}

function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`Index ${index} is out of range.`);
  return item;
}

export function clusterByWard(
  items: Iterable<Cluster>,
  count: number,
  yielder: CooperativeYielder,
): Promise<Cluster[]> {
  return clusterAgglomeratively(items, wardCost, { count, cost: Infinity }, yielder);
}

function wardCost(a: Cluster, b: Cluster): number {
  return ((a.weight * b.weight) / (a.weight + b.weight)) * computeSquaredDistance(a.mean, b.mean);
}
