import type { CooperativeYield } from './cooperative-yield.js';
import { findChangesWithoutPause, findViterbiPath } from './viterbi-path.js';
import { mergeClusters } from './merge-clusters.js';
import { buildInitialClusters } from './initial-clusters.js';
import type { FeatureSpace } from './feature-space.js';
import type { AcousticWindow } from './acoustic-window.js';
import { dropSmallClusters } from './drop-small-clusters.js';

/** So little, as nothing is used of the voices but where they change. */
const ROUGH_MERGE_THRESHOLD = 1.2;
const PIECE_WINDOWS = 2;
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
  const parts = await buildInitialClusters(windows, points, { changes, maxWindows: PIECE_WINDOWS }, breather);
  const found = dropSmallClusters(
    mergeClusters(parts, { threshold: ROUGH_MERGE_THRESHOLD, maxClusters: voices }),
  );
  return findChangesWithoutPause(
    windows,
    await findViterbiPath(windows, points, found, breather, SWITCH_COST_FACTOR),
  );
}
