import type { CooperativeYielder } from '@app/async';
import { type AcousticWindow, areWindowsContiguous } from './acoustic-window.js';
import { buildCluster, type Cluster, dropSmallClusters } from './cluster.js';
import {
  ANY_NUMBER_OF_SPEAKERS,
  mergeIntoSpeakersAndDropStrays,
  type SpeakerCountLimits,
} from './speaker-count-limits.js';
import { type WeightedVector, type WeightedVectors, WhitenedWindows } from './whitened-windows.js';
import { buildInitialClusters } from './initial-clusters.js';
import { MAX_MERGE_DISTANCE, mergeClusters } from './merge-clusters.js';
import { buildTurns, type SpeakerTurn } from './speaker-turns.js';
import { findWindowIndexesOfSpeakerChangesWithoutPause, findViterbiPath } from './viterbi-path.js';

const MAX_ROUNDS = 6;
/** Initial segments, assumed to be of one speaker. */
const PIECE_WINDOWS = 5;

/** Without the steps at changes the within-speaker scatter is underestimated, so distances are larger. */
const RAPID_MERGE_THRESHOLD = 2.4;
/**
 * Share of contiguous steps at which the speaker changes in rapid dialogue: 0.08 to 0.29 were measured. In monologues with
 * a varied voice it was at most 0.05.
 */
const MIN_RAPID_CHANGE_SHARE = 0.06;

/** @param windows in order of time, in seconds from the start of the file */
export async function diarizeWindows(
  windows: readonly AcousticWindow[],
  yielder: CooperativeYielder,
  limits: SpeakerCountLimits = ANY_NUMBER_OF_SPEAKERS,
): Promise<SpeakerTurn[]> {
  if (windows.length === 0) return [];
  const points = new WhitenedWindows(windows);
  const changes = await whitenAndFindChangesWithoutPause(windows, points, yielder);
  const rapidPath = await findSpeakerPath(
    windows,
    points,
    { changes, threshold: RAPID_MERGE_THRESHOLD, limits },
    yielder,
  );
  const steps = windows.filter((window, index) => areWindowsContiguous(windows[index - 1], window)).length;
  if (findWindowIndexesOfSpeakerChangesWithoutPause(windows, rapidPath).size > MIN_RAPID_CHANGE_SHARE * steps)
    return buildTurns(windows, rapidPath);
  const options = { changes: new Set<number>(), threshold: MAX_MERGE_DISTANCE, limits };
  return buildTurns(windows, await findSpeakerPath(windows, points, options, yielder));
}

interface PathOptions {
  /** Windows at which the speaker may change. */
  changes: ReadonlySet<number>;
  threshold: number;
  limits: SpeakerCountLimits;
}

async function findSpeakerPath(
  windows: readonly AcousticWindow[],
  points: WhitenedWindows,
  { changes, threshold, limits }: PathOptions,
  yielder: CooperativeYielder,
): Promise<Int32Array> {
  await points.whiten(changes, yielder);
  const segments = await buildInitialClusters(
    windows,
    points,
    { changes, maxWindows: PIECE_WINDOWS },
    yielder,
  );
  const mergeSimilar = (clusters: readonly Cluster[]) =>
    mergeIntoSpeakersAndDropStrays(clusters, limits, (some, { least, most }) =>
      mergeClusters(some, { threshold, minClusters: least, maxClusters: most }),
    );
  let speakers = await mergeSimilar(segments);
  let path = await findPathOfSpeakers(windows, points, speakers, limits.min, yielder);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await mergeSimilar(clusterAlongPath(points, path));
    const settled = found.length === speakers.length;
    speakers = found;
    path = await findPathOfSpeakers(windows, points, speakers, limits.min, yielder);
    if (settled && round > 0) break;
  }
  return path;
}

/** If the path omits speakers that the caller names, changes cost less. */
async function findPathOfSpeakers(
  windows: readonly AcousticWindow[],
  points: WhitenedWindows,
  speakers: readonly Cluster[],
  minSpeakers: number,
  yielder: CooperativeYielder,
): Promise<Int32Array> {
  let path: Int32Array = new Int32Array(0);
  for (const switchCostFactor of [1, 0.5, SWITCH_COST_FACTOR, 0]) {
    path = await findViterbiPath(windows, points, speakers, yielder, switchCostFactor);
    if (new Set(path).size >= Math.min(minSpeakers, speakers.length)) break;
  }
  return path;
}

function clusterAlongPath(points: WeightedVectors, path: Int32Array): Cluster[] {
  return [...new Set(path)].map((speaker) =>
    buildCluster({ [Symbol.iterator]: () => pointsOfSpeaker(points, path, speaker) }),
  );
}

function* pointsOfSpeaker(
  points: WeightedVectors,
  path: Int32Array,
  speaker: number,
): Generator<WeightedVector> {
  for (const [index, own] of path.entries()) if (own === speaker) yield points.at(index);
}

/** A low threshold is enough: only the changes are used, not the clusters. */
const ROUGH_MERGE_THRESHOLD = 1.2;
const ROUGH_PIECE_WINDOWS = 2;
const SWITCH_COST_FACTOR = 0.15;
/** More clusters would split one speaker, which lowers the estimated scatter. */
const MAX_SPEAKERS = { first: 4, second: 6 };

/**
 * Estimates where the speaker changes without a pause. In rapid dialogue every few windows contain a change, so the
 * scatter that is attributed to one speaker includes the distances between speakers. A rough clustering finds some
 * changes; without these the scatter is smaller, and a second pass finds more. False changes are acceptable, missed
 * ones are not.
 * @param points are whitened in place
 * @returns indices of windows
 */
export async function whitenAndFindChangesWithoutPause(
  windows: readonly AcousticWindow[],
  points: WhitenedWindows,
  yielder: CooperativeYielder,
): Promise<Set<number>> {
  await points.whitenWithoutChanges(yielder);
  const { first, second } = MAX_SPEAKERS;
  const likelyChanges = await findChanges(
    windows,
    points,
    { changes: new Set(), maxClusters: first },
    yielder,
  );
  await points.whiten(likelyChanges, yielder);
  return findChanges(windows, points, { changes: likelyChanges, maxClusters: second }, yielder);
}

async function findChanges(
  windows: readonly AcousticWindow[],
  points: WhitenedWindows,
  { changes, maxClusters }: { changes: ReadonlySet<number>; maxClusters: number },
  yielder: CooperativeYielder,
): Promise<Set<number>> {
  const segments = await buildInitialClusters(
    windows,
    points,
    { changes, maxWindows: ROUGH_PIECE_WINDOWS },
    yielder,
  );
  const found = dropSmallClusters(mergeClusters(segments, { threshold: ROUGH_MERGE_THRESHOLD, maxClusters }));
  return findWindowIndexesOfSpeakerChangesWithoutPause(
    windows,
    await findViterbiPath(windows, points, found, yielder, SWITCH_COST_FACTOR),
  );
}
