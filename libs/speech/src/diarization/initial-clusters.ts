import type { CooperativeYielder } from '@app/async';
import { type Cluster, buildCluster } from './cluster.js';
import type { WeightedVectors } from './whitened-windows.js';
import { areWindowsContiguous, type AcousticWindow } from './acoustic-window.js';
import { clusterByWard } from './agglomerative-clustering.js';

/** High enough that a speaker with few words keeps a cluster of their own. */
const MAX_INITIAL_CLUSTERS = 40;

export interface WindowRunSplitOptions {
  /** Indices of windows at which the speaker changes. */
  changes: ReadonlySet<number>;
  maxWindows: number;
}

/** Several clusters per speaker. */
export function buildInitialClusters(
  windows: readonly AcousticWindow[],
  points: WeightedVectors,
  split: WindowRunSplitOptions,
  yielder: CooperativeYielder,
): Promise<Cluster[]> {
  return clusterByWard(splitRuns(windows, points, split), MAX_INITIAL_CLUSTERS, yielder);
}

/** Yields equal pieces of each run of contiguous windows. */
function* splitRuns(
  windows: readonly AcousticWindow[],
  points: WeightedVectors,
  { changes, maxWindows }: WindowRunSplitOptions,
): Generator<Cluster> {
  for (let start = 0, end = 0; start < windows.length; start = end) {
    end = start + 1;
    while (!changes.has(end) && areWindowsContiguous(windows[end - 1], windows[end])) end += 1;
    const count = Math.ceil((end - start) / maxWindows);
    for (let piece = 0; piece < count; piece += 1) {
      const boundary = (index: number): number => start + Math.round(((end - start) * index) / count);
      const length = boundary(piece + 1) - boundary(piece);
      yield buildCluster(Array.from({ length }, (_, index) => points.at(boundary(piece) + index)));
    }
  }
}
