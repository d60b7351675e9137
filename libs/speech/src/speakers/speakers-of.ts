import type { Breather } from './breather.js';
import { type Cluster, clusterOf } from './cluster.js';
import { changesAlong, followVoices } from './follow-voices.js';
import { joinParts, MARGIN } from './one-voice.js';
import { partsOf } from './parts.js';
import { roughChanges } from './rough-changes.js';
import { type VoiceTurn, turnsOf } from './turns.js';
import { type VoicePoint, type VoicePoints, VoiceSpace } from './voice-space.js';
import { goesOn, type VoiceWindow } from './voice-window.js';
import { weighty } from './weighty.js';

const MOST_ROUNDS = 6;
/** Windows that are taken to be of one voice at first, where nothing says otherwise. */
const PIECE_WINDOWS = 5;

/** Without the steps at changes one voice seems to scatter less than it does: its parts lie further apart. */
const QUICK_MARGIN = 2.4;
/**
 * Part of the steps without a pause that change the voice where people talk quickly in turn: 0.08 to 0.29 of them were
 * seen. One person whose voice changes much, does so between sentences: at most 0.05.
 */
const QUICK = 0.06;

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
  const quick = await pathOfVoices(windows, points, { changes, margin: QUICK_MARGIN }, breather);
  const steps = windows.filter((window, index) => goesOn(windows[index - 1], window)).length;
  if (changesAlong(windows, quick).size > QUICK * steps) return turnsOf(windows, quick);
  const usual = { changes: new Set<number>(), margin: MARGIN };
  return turnsOf(windows, await pathOfVoices(windows, points, usual, breather));
}

/** The voice of each window; `changes` are windows with which another one may begin. */
async function pathOfVoices(
  windows: readonly VoiceWindow[],
  points: VoiceSpace,
  { changes, margin }: { changes: ReadonlySet<number>; margin: number },
  breather: Breather,
): Promise<Int32Array> {
  await points.scale(changes, breather);
  const parts = await partsOf(windows, points, { changes, most: PIECE_WINDOWS }, breather);
  let voices = weighty(joinParts(parts, { margin }));
  let path = await followVoices(windows, points, voices, breather);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = weighty(joinParts(clustersAlong(points, path), { margin }));
    const settled = found.length === voices.length;
    voices = found;
    path = await followVoices(windows, points, voices, breather);
    if (settled && round > 0) break;
  }
  return path;
}

function clustersAlong(points: VoicePoints, path: Int32Array): Cluster[] {
  return [...new Set(path)].map((voice) =>
    clusterOf({ [Symbol.iterator]: () => pointsOf(points, path, voice) }),
  );
}

function* pointsOf(points: VoicePoints, path: Int32Array, voice: number): Generator<VoicePoint> {
  for (const [index, own] of path.entries()) if (own === voice) yield points.at(index);
}
