import type { Breather } from './breather.js';
import { type Cluster, clusterOf } from './cluster.js';
import { followVoices } from './follow-voices.js';
import { joinParts } from './one-voice.js';
import { type VoiceTurn, turnsOf } from './turns.js';
import { type VoicePoint, type VoicePoints, voiceSpace } from './voice-space.js';
import { goesOn, type VoiceWindow } from './voice-window.js';
import { wardClusters } from './ward.js';

/** Windows that are taken to be of one voice at first; a run of speech is cut into pieces of this length or less. */
const PIECE_WINDOWS = 5;
/** Clusters from which voices are put together. Many, so that one who says little is not lost among the others. */
const MOST_PARTS = 40;
/**
 * Full windows of sound (about half a second each) that a voice has at least; with less it is one of the others. The
 * longer the file, the more odd sounds it holds, up to a length that no odd sound has.
 */
const LEAST_WINDOWS = { share: 0.05, least: 2, most: 6 };
const MOST_ROUNDS = 6;

/**
 * Who speaks when, over a whole file.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param windows in order of time, on the file's clock
 */
export async function speakersOf(windows: readonly VoiceWindow[], breather: Breather): Promise<VoiceTurn[]> {
  if (windows.length === 0) return [];
  const points = await voiceSpace(windows, breather);
  const parts = await wardClusters(piecesOf(windows, points), MOST_PARTS, breather);
  let voices = weighty(joinParts(parts));
  let path = await followVoices(windows, points, voices, breather);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = weighty(joinParts(clustersAlong(points, path)));
    const settled = found.length === voices.length;
    voices = found;
    path = await followVoices(windows, points, voices, breather);
    if (settled && round > 0) break;
  }
  return turnsOf(windows, path);
}

/** Equal pieces of each run of speech without a pause, made one by one as they are clustered. */
function* piecesOf(windows: readonly VoiceWindow[], points: VoicePoints): Generator<Cluster> {
  for (let start = 0, end = 0; start < windows.length; start = end) {
    end = start + 1;
    while (goesOn(windows[end - 1], windows[end])) end += 1;
    const count = Math.ceil((end - start) / PIECE_WINDOWS);
    for (let piece = 0; piece < count; piece += 1) {
      const cutAt = (index: number): number => start + Math.round(((end - start) * index) / count);
      const length = cutAt(piece + 1) - cutAt(piece);
      yield clusterOf(Array.from({ length }, (_, index) => points.at(cutAt(piece) + index)));
    }
  }
}

function clustersAlong(points: VoicePoints, path: Int32Array): Cluster[] {
  return [...new Set(path)].map((voice) =>
    clusterOf({ [Symbol.iterator]: () => pointsOf(points, path, voice) }),
  );
}

function* pointsOf(points: VoicePoints, path: Int32Array, voice: number): Generator<VoicePoint> {
  for (const [index, own] of path.entries()) if (own === voice) yield points.at(index);
}

/** Without those too small to be told from chance; the greatest one stays in any case. */
function weighty(clusters: readonly Cluster[]): Cluster[] {
  const weights = clusters.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { share, least, most } = LEAST_WINDOWS;
  const enough = Math.min(most, Math.max(least, share * total), Math.max(...weights));
  return clusters.filter(({ weight }) => weight >= enough);
}
