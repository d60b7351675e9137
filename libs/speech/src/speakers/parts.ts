import type { Breather } from './breather.js';
import { type Cluster, clusterOf } from './cluster.js';
import type { VoicePoints } from './voice-space.js';
import { goesOn, type VoiceWindow } from './voice-window.js';
import { wardClusters } from './ward.js';

/** Clusters from which voices are put together. Many, so that one who says little is not lost among the others. */
const MOST_PARTS = 40;

/** How a run of speech without a pause is cut into pieces that are taken to be of one voice each. */
export interface Cut {
  /** Indices of windows with which another voice begins. */
  changes: ReadonlySet<number>;
  /** Windows of a piece. */
  most: number;
}

/** Clusters of pieces that sound alike: parts of voices. */
export function partsOf(
  windows: readonly VoiceWindow[],
  points: VoicePoints,
  cut: Cut,
  breather: Breather,
): Promise<Cluster[]> {
  return wardClusters(piecesOf(windows, points, cut), MOST_PARTS, breather);
}

/** Equal pieces of each run of speech, made one by one as they are clustered. */
function* piecesOf(
  windows: readonly VoiceWindow[],
  points: VoicePoints,
  { changes, most }: Cut,
): Generator<Cluster> {
  for (let start = 0, end = 0; start < windows.length; start = end) {
    end = start + 1;
    while (!changes.has(end) && goesOn(windows[end - 1], windows[end])) end += 1;
    const count = Math.ceil((end - start) / most);
    for (let piece = 0; piece < count; piece += 1) {
      const cutAt = (index: number): number => start + Math.round(((end - start) * index) / count);
      const length = cutAt(piece + 1) - cutAt(piece);
      yield clusterOf(Array.from({ length }, (_, index) => points.at(cutAt(piece) + index)));
    }
  }
}
