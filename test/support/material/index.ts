import {
  dialogue as makeDialogue,
  type Dialogue as SpokenDialogue,
  type DialogueRequest,
} from '../../../scripts/material/library.mjs';
import { normalizeText } from '../normalize-text.js';

export { FOREIGN_SENTENCES } from './foreign-names.js';
export {
  FORMAT_NAMES,
  inFormat,
  MADE_UP_NAMES,
  noise,
  silence,
  tone,
  truncated,
} from '../../../scripts/material/library.mjs';

export interface Dialogue extends SpokenDialogue {
  /** Every spoken word in order, lower case and without punctuation. */
  words: string[];
}

/**
 * A dialogue of exactly this many seconds (3 to 14400), the same for the same request; a 16 kHz mono WAV file.
 *
 * Generated at the first request (an hour of it in less than a minute) and stored in `.cache/material`.
 * Throws `RangeError` for a request out of bounds, `Error` when flite is missing.
 */
export async function dialogue(request: DialogueRequest): Promise<Dialogue> {
  const spoken = await makeDialogue(request);
  const words = spoken.turns.flatMap((turn) => normalizeText(turn.text).split(' '));
  return { ...spoken, words };
}
