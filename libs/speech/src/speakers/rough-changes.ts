import type { Breather } from './breather.js';
import { followVoices } from './follow-voices.js';
import { joinParts } from './one-voice.js';
import { partsOf } from './parts.js';
import type { VoiceSpace } from './voice-space.js';
import { goesOn, type VoiceWindow } from './voice-window.js';
import { weighty } from './weighty.js';

/** Rather one voice taken for several than a change overlooked: nothing is used of the voices but where they change. */
const MARGIN = 1.2;
const PIECE_WINDOWS = 2;
const CAUTION = 0.15;
/** Voices at most: the more one voice is cut into, the less it seems to scatter. */
const MOST_VOICES = { first: 4, second: 6 };
/** Part of the steps up to which changes do no harm: they are among those that are left out for being great. */
const FEW = 0.11;

/**
 * Where another voice may begin although there is no pause.
 *
 * Where people talk quickly in turn, every few windows hold a change, and what is taken for the scatter of one voice has
 * the distances between voices in it: nobody can be told apart. In such a space some of the changes are found by voices
 * that are made hastily; without the steps at these the scatter is less, and more are found. One voice that is cut by
 * mistake is joined again afterwards: even where only the steps inside of its parts count, these are too near.
 *
 * @param points scaled in some way afterwards
 * @returns indices of windows; none where people leave pauses, or there is one voice
 */
export async function roughChanges(
  windows: readonly VoiceWindow[],
  points: VoiceSpace,
  breather: Breather,
): Promise<Set<number>> {
  await points.scaleBlindly(breather);
  const { first, second } = MOST_VOICES;
  const some = await changesOf(windows, points, { changes: new Set(), voices: first }, breather);
  const steps = [...windows.keys()].filter((index) => goesOn(windows[index - 1], windows[index])).length;
  if (some.size < FEW * steps) return new Set();
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
  const path = await followVoices(windows, points, found, breather, CAUTION);
  const changed = (index: number): boolean =>
    path[index] !== path[index - 1] && goesOn(windows[index - 1], windows[index]);
  return new Set([...path.keys()].filter(changed));
}
