import type { CooperativeYielder } from '@app/async';
import { type Cluster, computeSquaredDistance } from './cluster.js';
import type { WeightedVector, WeightedVectors } from './whitened-windows.js';
import { areWindowsContiguous, type AcousticWindow } from './acoustic-window.js';

/** Cost of a speaker change without a pause, in half squared distances. */
const SWITCH_COST = 12;
/** The same after a pause of `LONG_PAUSE_SECONDS` or more; interpolated between the two. */
const SWITCH_COST_AFTER_PAUSE = 3;
const LONG_PAUSE_SECONDS = 0.5;
/** Neighbouring windows are correlated, so each carries less evidence than its distance suggests. */
const EMISSION_SCALE = 0.5;

/**
 * @param clusters at least one
 * @param switchCostFactor multiplies the cost of a change
 * @returns an index of `clusters` for each window
 */
export async function findViterbiPath(
  windows: readonly AcousticWindow[],
  points: WeightedVectors,
  clusters: readonly Cluster[],
  yielder: CooperativeYielder,
  switchCostFactor = 1,
): Promise<Int32Array> {
  const count = clusters.length;
  const from = new Uint16Array(windows.length * count);
  // Reused for every window: new arrays would take more memory than all the points.
  const costs = new Float64Array(count);
  for (let index = 0; index < points.count; index += 1) {
    const point = points.at(index);
    const cheapest = costs.indexOf(Math.min(...costs));
    const changeCost =
      (costs[cheapest] ?? 0) + switchCostFactor * switchCost(windows[index - 1], windows[index]);
    for (const [speaker, stayCost] of costs.entries()) {
      const stays = stayCost <= changeCost;
      from[index * count + speaker] = stays ? speaker : cheapest;
      costs[speaker] = (stays ? stayCost : changeCost) + emissionCost(point, clusters[speaker]);
    }
    await yielder.yieldIfDue();
  }
  return backtrace(from, count, costs.indexOf(Math.min(...costs)));
}

export function findWindowIndexesOfSpeakerChangesWithoutPause(
  windows: readonly AcousticWindow[],
  path: Int32Array,
): Set<number> {
  const changed = (index: number): boolean =>
    path[index] !== path[index - 1] && areWindowsContiguous(windows[index - 1], windows[index]);
  return new Set([...path.keys()].filter(changed));
}

function emissionCost({ vector, weight }: WeightedVector, cluster: Cluster | undefined): number {
  return cluster ? EMISSION_SCALE * 0.5 * weight * computeSquaredDistance(vector, cluster.mean) : Infinity;
}

function switchCost(before: AcousticWindow | undefined, after: AcousticWindow | undefined): number {
  if (!before || !after) return 0;
  const pause = Math.min(1, (after.start - before.end) / LONG_PAUSE_SECONDS);
  return SWITCH_COST + pause * (SWITCH_COST_AFTER_PAUSE - SWITCH_COST);
}

function backtrace(from: Uint16Array, count: number, last: number): Int32Array {
  const path = new Int32Array(from.length / count);
  let speaker = last;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    path[index] = speaker;
    speaker = from[index * count + speaker] ?? 0;
  }
  return path;
}
