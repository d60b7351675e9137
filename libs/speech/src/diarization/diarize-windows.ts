import { type AcousticWindow, isContiguous } from './acoustic-window.js';
import { buildCluster, type Cluster, dropSmallClusters } from './cluster.js';
import type { CooperativeYield } from './cooperative-yield.js';
import { type FeaturePoint, type FeaturePoints, FeatureSpace } from './feature-space.js';
import { buildInitialClusters } from './initial-clusters.js';
import { MERGE_THRESHOLD, mergeClusters } from './merge-clusters.js';
import { buildTurns, type SpeakerTurn } from './speaker-turns.js';
import { findChangesWithoutPause, findViterbiPath } from './viterbi-path.js';

const MAX_ROUNDS = 6;
/** Windows that are taken to be of one voice at first, where nothing says otherwise. */
const PIECE_WINDOWS = 5;

/** Without the steps at changes one voice seems to scatter less than it does: its parts lie further apart. */
const RAPID_MERGE_THRESHOLD = 2.4;
/**
 * Part of the steps without a pause that change the voice where people talk quickly in turn: 0.08 to 0.29 of them were
 * seen. One person whose voice changes much, does so between sentences: at most 0.05.
 */
const MIN_RAPID_CHANGE_SHARE = 0.06;

/**
 * Who speaks when, over a whole file.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param windows in order of time, on the file's clock
 */
export async function diarizeWindows(
  windows: readonly AcousticWindow[],
  breather: CooperativeYield,
): Promise<SpeakerTurn[]> {
  if (windows.length === 0) return [];
  const points = new FeatureSpace(windows);
  const changes = await estimateSpeakerChanges(windows, points, breather);
  const quick = await findSpeakerPath(windows, points, { changes, margin: RAPID_MERGE_THRESHOLD }, breather);
  const steps = windows.filter((window, index) => isContiguous(windows[index - 1], window)).length;
  if (findChangesWithoutPause(windows, quick).size > MIN_RAPID_CHANGE_SHARE * steps)
    return buildTurns(windows, quick);
  const usual = { changes: new Set<number>(), margin: MERGE_THRESHOLD };
  return buildTurns(windows, await findSpeakerPath(windows, points, usual, breather));
}

/** The voice of each window; `changes` are windows with which another one may begin. */
async function findSpeakerPath(
  windows: readonly AcousticWindow[],
  points: FeatureSpace,
  { changes, margin }: { changes: ReadonlySet<number>; margin: number },
  breather: CooperativeYield,
): Promise<Int32Array> {
  await points.whiten(changes, breather);
  const parts = await buildInitialClusters(windows, points, { changes, maxWindows: PIECE_WINDOWS }, breather);
  let voices = dropSmallClusters(mergeClusters(parts, { threshold: margin }));
  let path = await findViterbiPath(windows, points, voices, breather);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = dropSmallClusters(mergeClusters(clusterAlongPath(points, path), { threshold: margin }));
    const settled = found.length === voices.length;
    voices = found;
    path = await findViterbiPath(windows, points, voices, breather);
    if (settled && round > 0) break;
  }
  return path;
}

function clusterAlongPath(points: FeaturePoints, path: Int32Array): Cluster[] {
  return [...new Set(path)].map((voice) =>
    buildCluster({ [Symbol.iterator]: () => pointsOfSpeaker(points, path, voice) }),
  );
}

function* pointsOfSpeaker(points: FeaturePoints, path: Int32Array, voice: number): Generator<FeaturePoint> {
  for (const [index, own] of path.entries()) if (own === voice) yield points.at(index);
}

/** So little, as nothing is used of the voices but where they change. */
const ROUGH_MERGE_THRESHOLD = 1.2;
const ROUGH_PIECE_WINDOWS = 2;
const SWITCH_COST_FACTOR = 0.15;
/** Voices at most: the more one voice is cut into, the less it seems to scatter. */
const MAX_SPEAKERS = { first: 4, second: 6 };

/**
 * Where another voice may begin although there is no pause.
 *
 * Where people talk quickly in turn, every few windows hold a change, and what is taken for the scatter of one voice has
 * the distances between voices in it: nobody can be told apart. In such a space some of the changes are found by voices
 * that are made hastily; without the steps at these the scatter is less, and more are found. Some are none: one voice is
 * taken for several rather than a change overlooked.
 *
 * @param points scaled in some way afterwards
 * @returns indices of windows
 */
export async function estimateSpeakerChanges(
  windows: readonly AcousticWindow[],
  points: FeatureSpace,
  breather: CooperativeYield,
): Promise<Set<number>> {
  await points.whitenWithoutChanges(breather);
  const { first, second } = MAX_SPEAKERS;
  const some = await findChanges(windows, points, { changes: new Set(), voices: first }, breather);
  await points.whiten(some, breather);
  return findChanges(windows, points, { changes: some, voices: second }, breather);
}

async function findChanges(
  windows: readonly AcousticWindow[],
  points: FeatureSpace,
  { changes, voices }: { changes: ReadonlySet<number>; voices: number },
  breather: CooperativeYield,
): Promise<Set<number>> {
  const parts = await buildInitialClusters(
    windows,
    points,
    { changes, maxWindows: ROUGH_PIECE_WINDOWS },
    breather,
  );
  const found = dropSmallClusters(
    mergeClusters(parts, { threshold: ROUGH_MERGE_THRESHOLD, maxClusters: voices }),
  );
  return findChangesWithoutPause(
    windows,
    await findViterbiPath(windows, points, found, breather, SWITCH_COST_FACTOR),
  );
}
