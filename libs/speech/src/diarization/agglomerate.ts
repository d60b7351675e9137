import { type Cluster, mergeClusterPair, squaredDistance } from './cluster.js';
import type { CooperativeYield } from './cooperative-yield.js';

/** Items that are compared each with each. */
const BLOCK_SIZE = 800;
/** In the place of a number. */
const NONE = -1;

/** What joining two clusters costs. Joining must never make a cluster cheaper to join than it was. */
export type MergeCost = (a: Cluster, b: Cluster) => number;

/** When to stop joining: with so few clusters, or where the cheapest join costs more than this. */
export interface StopCriterion {
  count: number;
  cost: number;
}

/**
 * Agglomerative clustering of items that weigh differently: the cheapest join first.
 *
 * Time and memory grow linearly with long input: blocks are clustered first, each as it comes, then their clusters. (The usual
 * library takes a full matrix of distances, gives every item the same weight and holds the thread meanwhile.)
 */
export async function agglomerate(
  items: Iterable<Cluster>,
  cost: MergeCost,
  until: StopCriterion,
  breather: CooperativeYield,
): Promise<Cluster[]> {
  const fewer: Cluster[] = [];
  let count = 0;
  for (const block of splitIntoBlocks(items)) {
    count += block.length;
    fewer.push(...(await mergeAll(block, cost, until, breather)));
  }
  if (count <= BLOCK_SIZE) return fewer;
  // Blocks in which hardly anything could be joined would come round and round.
  const worthwhile = fewer.length <= count / 2;
  return worthwhile ? agglomerate(fewer, cost, until, breather) : mergeAll(fewer, cost, until, breather);
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
  cost: MergeCost,
  until: StopCriterion,
  breather: CooperativeYield,
): Promise<Cluster[]> {
  const clusters = [...items];
  const nearest: Neighbour[] = [];
  for (const index of clusters.keys()) {
    nearest.push(findNearest(clusters, index, cost));
    await breather.yieldIfDue();
  }
  while (clusters.length > until.count) {
    const a = findCheapest(nearest);
    const { index: b, cost: least } = itemAt(nearest, a);
    if (least > until.cost || least === Infinity) break;
    if (b === NONE) nearest[a] = findNearest(clusters, a, cost);
    else mergeNeighbours(clusters, nearest, { a: Math.min(a, b), b: Math.max(a, b) });
    await breather.yieldIfDue();
  }
  return clusters;
}

interface Neighbour {
  /** `NONE` where there is no other cluster, or the nearest went into another and is to be looked for again. */
  index: number;
  /** What joining it costs; of one that is to be looked for, what it costs at least. */
  cost: number;
}

/**
 * `b` goes into `a`, and the last cluster takes its place. No join makes a cluster cheaper: what is remembered of the
 * others stays true until one of the two is joined, and then costs no less. So what has lost its neighbour need not look
 * for another before it is its turn, and some are joined before that.
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
    const lost = index === a || neighbour.index === a || neighbour.index === b;
    if (lost) neighbour.index = NONE;
    else if (neighbour.index === last) neighbour.index = b;
  }
}

function findNearest(clusters: readonly Cluster[], index: number, cost: MergeCost): Neighbour {
  const own = itemAt(clusters, index);
  const best: Neighbour = { index: NONE, cost: Infinity };
  for (const [other, cluster] of clusters.entries()) {
    if (other === index) continue;
    const price = cost(own, cluster);
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
  if (item === undefined) throw new RangeError(`There is no item ${index}.`);
  return item;
}

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
