import type { CooperativeYield } from './cooperative-yield.js';
import { type Cluster, buildCluster } from './cluster.js';
import type { FeaturePoints } from './feature-space.js';
import { isContiguous, type AcousticWindow } from './acoustic-window.js';
import { clusterByWard } from './agglomerate.js';

/** Clusters from which voices are put together. Many, so that one who says little is not lost among the others. */
const MAX_INITIAL_CLUSTERS = 40;

/** How a run of speech without a pause is cut into pieces that are taken to be of one voice each. */
export interface RunSplit {
  /** Indices of windows with which another voice begins. */
  changes: ReadonlySet<number>;
  /** Windows of a piece. */
  maxWindows: number;
}

/** Clusters of pieces that sound alike: parts of voices. */
export function buildInitialClusters(
  windows: readonly AcousticWindow[],
  points: FeaturePoints,
  cut: RunSplit,
  yielder: CooperativeYield,
): Promise<Cluster[]> {
  return clusterByWard(splitRuns(windows, points, cut), MAX_INITIAL_CLUSTERS, yielder);
}

/** Equal pieces of each run of speech, made one by one as they are clustered. */
function* splitRuns(
  windows: readonly AcousticWindow[],
  points: FeaturePoints,
  { changes, maxWindows: most }: RunSplit,
): Generator<Cluster> {
  for (let start = 0, end = 0; start < windows.length; start = end) {
    end = start + 1;
    while (!changes.has(end) && isContiguous(windows[end - 1], windows[end])) end += 1;
    const count = Math.ceil((end - start) / most);
    for (let piece = 0; piece < count; piece += 1) {
      const cutAt = (index: number): number => start + Math.round(((end - start) * index) / count);
      const length = cutAt(piece + 1) - cutAt(piece);
      yield buildCluster(Array.from({ length }, (_, index) => points.at(cutAt(piece) + index)));
    }
  }
}
