import type { Breather } from './breather.js';
import { type Cluster, merged } from './cluster.js';

/** Items that are compared each with each. */
const BLOCK = 800;
/** In the place of a number. */
const NONE = -1;

/** What joining two clusters costs. Joining must never make a cluster cheaper to join than it was. */
export type JoinCost = (a: Cluster, b: Cluster) => number;

/** When to stop joining: with so few clusters, or where the cheapest join costs more than this. */
export interface JoinUntil {
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
  cost: JoinCost,
  until: JoinUntil,
  breather: Breather,
): Promise<Cluster[]> {
  const fewer: Cluster[] = [];
  let count = 0;
  for (const block of blocksOf(items)) {
    count += block.length;
    fewer.push(...(await joinAll(block, cost, until, breather)));
  }
  if (count <= BLOCK) return fewer;
  // Blocks in which hardly anything could be joined would come round and round.
  const worthwhile = fewer.length <= count / 2;
  return worthwhile ? agglomerate(fewer, cost, until, breather) : joinAll(fewer, cost, until, breather);
}

function* blocksOf(items: Iterable<Cluster>): Generator<Cluster[]> {
  let block: Cluster[] = [];
  for (const item of items) {
    block.push(item);
    if (block.length < BLOCK) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

async function joinAll(
  items: readonly Cluster[],
  cost: JoinCost,
  until: JoinUntil,
  breather: Breather,
): Promise<Cluster[]> {
  const clusters = [...items];
  const nearest: Neighbour[] = [];
  for (const index of clusters.keys()) {
    nearest.push(nearestOf(clusters, index, cost));
    await breather.breathe();
  }
  while (clusters.length > until.count) {
    const a = cheapest(nearest);
    const { index: b, cost: least } = itemAt(nearest, a);
    if (least > until.cost || least === Infinity) break;
    if (b === NONE) nearest[a] = nearestOf(clusters, a, cost);
    else join(clusters, nearest, { a: Math.min(a, b), b: Math.max(a, b) });
    await breather.breathe();
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
function join(clusters: Cluster[], nearest: Neighbour[], { a, b }: { a: number; b: number }): void {
  const last = clusters.length - 1;
  clusters[a] = merged(itemAt(clusters, a), itemAt(clusters, b));
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

function nearestOf(clusters: readonly Cluster[], index: number, cost: JoinCost): Neighbour {
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
