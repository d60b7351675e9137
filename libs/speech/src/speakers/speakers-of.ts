import type { Breather } from './breather.js';
import { type Cluster, clusterOf } from './cluster.js';
import { followVoices } from './follow-voices.js';
import { joinParts, MARGIN } from './one-voice.js';
import { partsOf } from './parts.js';
import { roughChanges } from './rough-changes.js';
import { type VoiceTurn, turnsOf } from './turns.js';
import { type VoicePoint, type VoicePoints, VoiceSpace } from './voice-space.js';
import type { VoiceWindow } from './voice-window.js';
import { weighty } from './weighty.js';

const MOST_ROUNDS = 6;
/** Without the steps at changes one voice seems to scatter less than it does: its parts lie further apart. */
const MARGIN_OF_QUICK_TURNS = 2.4;
/** Windows that are taken to be of one voice at first, where nothing says otherwise. */
const PIECE_WINDOWS = 5;

/**
 * Who speaks when, over a whole file.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param windows in order of time, on the file's clock
 */
export async function speakersOf(windows: readonly VoiceWindow[], breather: Breather): Promise<VoiceTurn[]> {
  if (windows.length === 0) return [];
  const points = new VoiceSpace(windows);
  const changes = await roughChanges(windows, points, breather);
  await points.scale(changes, breather);
  const until = changes.size > 0 ? { margin: MARGIN_OF_QUICK_TURNS } : { margin: MARGIN };
  const cut = { changes, most: PIECE_WINDOWS };
  let voices = weighty(joinParts(await partsOf(windows, points, cut, breather), until));
  let path = await followVoices(windows, points, voices, breather);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = weighty(joinParts(clustersAlong(points, path), until));
    const settled = found.length === voices.length;
    voices = found;
    path = await followVoices(windows, points, voices, breather);
    if (settled && round > 0) break;
  }
  return turnsOf(windows, path);
}

function clustersAlong(points: VoicePoints, path: Int32Array): Cluster[] {
  return [...new Set(path)].map((voice) =>
    clusterOf({ [Symbol.iterator]: () => pointsOf(points, path, voice) }),
  );
}

function* pointsOf(points: VoicePoints, path: Int32Array, voice: number): Generator<VoicePoint> {
  for (const [index, own] of path.entries()) if (own === voice) yield points.at(index);
}
