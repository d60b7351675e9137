import {
  makeDialogue,
  type Dialogue as SpokenDialogue,
  type DialogueRequest,
} from '../../../scripts/material/library.mjs';
import { normalizeText } from '../normalize-text.js';

export { FOREIGN_SENTENCES } from './foreign-names.js';
export {
  compareWithSpoken,
  FORMAT_NAMES,
  convertFormat as inFormat,
  listNamesInSentences,
  MADE_UP_NAMES,
  makeMisheardTranscripts,
  makeNoise as noise,
  makeSilence as silence,
  makeTone as tone,
  truncateCopy as truncated,
} from '../../../scripts/material/library.mjs';

export interface Dialogue extends SpokenDialogue {
  /** All words in order, in lower case and without punctuation. */
  words: string[];
}

/**
 * A dialogue of exactly `seconds` (3 to 14400) as a 16 kHz mono WAV file; equal requests return equal dialogues. It is
 * generated at the first request (an hour of it in less than a minute) and stored in `.cache/material`.
 * @throws RangeError for a request out of bounds, Error if flite is missing
 */
export async function dialogue(request: DialogueRequest): Promise<Dialogue> {
  const spoken = await makeDialogue(request);
  const words = spoken.turns.flatMap((turn) => normalizeText(turn.text).split(' '));
  return { ...spoken, words };
}
