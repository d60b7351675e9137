import type { CooperativeYield } from './cooperative-yield.js';
import { type Cluster, buildCluster } from './cluster.js';
import type { FeaturePoints } from './feature-space.js';
import { isContiguous, type AcousticWindow } from './acoustic-window.js';
import { clusterByWard } from './agglomerate.js';

/** High enough that a speaker with few words keeps a cluster of their own. */
const MAX_INITIAL_CLUSTERS = 40;

/** How runs of contiguous windows are split into segments of one presumed speaker. */
export interface RunSplit {
  /** Indices of windows at which the speaker changes. */
  changes: ReadonlySet<number>;
  maxWindows: number;
}

/** Over-clusters the segments: several clusters per speaker. */
export function buildInitialClusters(
  windows: readonly AcousticWindow[],
  points: FeaturePoints,
  split: RunSplit,
  yielder: CooperativeYield,
): Promise<Cluster[]> {
  return clusterByWard(splitRuns(windows, points, split), MAX_INITIAL_CLUSTERS, yielder);
}

/** Yields equal pieces of each run of contiguous windows. */
function* splitRuns(
  windows: readonly AcousticWindow[],
  points: FeaturePoints,
  { changes, maxWindows }: RunSplit,
): Generator<Cluster> {
  for (let start = 0, end = 0; start < windows.length; start = end) {
    end = start + 1;
    while (!changes.has(end) && isContiguous(windows[end - 1], windows[end])) end += 1;
    const count = Math.ceil((end - start) / maxWindows);
    for (let piece = 0; piece < count; piece += 1) {
      const boundary = (index: number): number => start + Math.round(((end - start) * index) / count);
      const length = boundary(piece + 1) - boundary(piece);
      yield buildCluster(Array.from({ length }, (_, index) => points.at(boundary(piece) + index)));
    }
  }
}
