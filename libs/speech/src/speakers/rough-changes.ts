import type { Breather } from './breather.js';
import { changesAlong, followVoices } from './follow-voices.js';
import { joinParts } from './one-voice.js';
import { partsOf } from './parts.js';
import type { VoiceSpace } from './voice-space.js';
import type { VoiceWindow } from './voice-window.js';
import { weighty } from './weighty.js';

/** So little, as nothing is used of the voices but where they change. */
const MARGIN = 1.2;
const PIECE_WINDOWS = 2;
const CAUTION = 0.15;
/** Voices at most: the more one voice is cut into, the less it seems to scatter. */
const MOST_VOICES = { first: 4, second: 6 };

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
export async function roughChanges(
  windows: readonly VoiceWindow[],
  points: VoiceSpace,
  breather: Breather,
): Promise<Set<number>> {
  await points.scaleBlindly(breather);
  const { first, second } = MOST_VOICES;
  const some = await changesOf(windows, points, { changes: new Set(), voices: first }, breather);
  await points.scale(some, breather);
  return changesOf(windows, points, { changes: some, voices: second }, breather);
}

async function changesOf(
  windows: readonly VoiceWindow[],
  points: VoiceSpace,
  { changes, voices }: { changes: ReadonlySet<number>; voices: number },
  breather: Breather,
): Promise<Set<number>> {
  const parts = await partsOf(windows, points, { changes, most: PIECE_WINDOWS }, breather);
  const found = weighty(joinParts(parts, { margin: MARGIN, most: voices }));
  return changesAlong(windows, await followVoices(windows, points, found, breather, CAUTION));
}
