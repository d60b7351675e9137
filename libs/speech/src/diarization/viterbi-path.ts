import type { CooperativeYield } from './cooperative-yield.js';
import { type Cluster, squaredDistance } from './cluster.js';
import type { FeaturePoint, FeaturePoints } from './feature-space.js';
import { isContiguous, type AcousticWindow } from './acoustic-window.js';

/** Cost of another voice without a pause, in units of half a squared distance. */
const SWITCH_COST = 12;
/** The same after a pause of `LONG_PAUSE_SECONDS` seconds or more; between the two it falls evenly. */
const SWITCH_COST_AFTER_PAUSE = 3;
const LONG_PAUSE_SECONDS = 0.5;
/** Neighbouring windows are alike for other reasons than the voice too, so each one says less than it seems. */
const EMISSION_SCALE = 0.5;

/**
 * The most likely voice of every window, as a path through all of them on which every change costs something.
 * @param clusters one or more
 * @param switchCostFactor factor of what a change costs
 * @returns an index of `clusters` for each window
 */
export async function findViterbiPath(
  windows: readonly AcousticWindow[],
  points: FeaturePoints,
  clusters: readonly Cluster[],
  yielder: CooperativeYield,
  switchCostFactor = 1,
): Promise<Int32Array> {
  const voices = clusters.length;
  const from = new Uint16Array(windows.length * voices);
  // Written over for every window: as many new ones would take more room than all the points.
  const costs = new Float64Array(voices);
  for (let index = 0; index < points.count; index += 1) {
    const point = points.at(index);
    const cheapest = costs.indexOf(Math.min(...costs));
    const switched =
      (costs[cheapest] ?? 0) + switchCostFactor * switchCost(windows[index - 1], windows[index]);
    for (const [voice, staying] of costs.entries()) {
      const stays = staying <= switched;
      from[index * voices + voice] = stays ? voice : cheapest;
      costs[voice] = (stays ? staying : switched) + emissionCost(point, clusters[voice]);
    }
    await yielder.yieldIfDue();
  }
  return backtrace(from, voices, costs.indexOf(Math.min(...costs)));
}

/** Windows with which another voice begins without a pause, by their index. */
export function findChangesWithoutPause(windows: readonly AcousticWindow[], path: Int32Array): Set<number> {
  const changed = (index: number): boolean =>
    path[index] !== path[index - 1] && isContiguous(windows[index - 1], windows[index]);
  return new Set([...path.keys()].filter(changed));
}

function emissionCost({ at, weight }: FeaturePoint, cluster: Cluster | undefined): number {
  return cluster ? EMISSION_SCALE * 0.5 * weight * squaredDistance(at, cluster.mean) : Infinity;
}

function switchCost(before: AcousticWindow | undefined, after: AcousticWindow | undefined): number {
  if (!before || !after) return 0;
  const pause = Math.min(1, (after.start - before.end) / LONG_PAUSE_SECONDS);
  return SWITCH_COST + pause * (SWITCH_COST_AFTER_PAUSE - SWITCH_COST);
}

function backtrace(from: Uint16Array, voices: number, last: number): Int32Array {
  const path = new Int32Array(from.length / voices);
  let voice = last;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    path[index] = voice;
    voice = from[index * voices + voice] ?? 0;
  }
  return path;
}
