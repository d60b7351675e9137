import {
  getMinPauseSecondsForAside,
  getMinPauseSecondsForEndTag,
  getMinPauseSecondsForRepetition,
} from './comma-asides.js';
import {
  getMinPauseSecondsAfterSubordinateClause,
  getMinPauseSecondsForCommaBeforeClause,
} from './comma-clauses.js';
import { getMinPauseSecondsAfterOpeningPhrase } from './comma-openings.js';
import { getMinPauseSecondsForOptionalComma } from './comma-optional.js';
import { MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN, type CommaCandidate } from './comma-candidate.js';
import { NON_FINAL_WORDS } from './english-words.js';

/** Each returns seconds. */
const COMMA_RULES = [
  getMinPauseSecondsAfterOpeningPhrase,
  getMinPauseSecondsForCommaBeforeClause,
  getMinPauseSecondsAfterSubordinateClause,
  getMinPauseSecondsForAside,
  getMinPauseSecondsForRepetition,
  getMinPauseSecondsForEndTag,
  getMinPauseSecondsForOptionalComma,
];

/**
 * @param words of one unpunctuated sentence, lower case
 * @param pauses seconds of silence before each word
 * @returns indices of the words that a comma follows
 */
export function findMissingCommaIndices(words: readonly string[], pauses: readonly number[]): Set<number> {
  const commas = new Set<number>();
  let from = 0;
  for (let index = 1; index < words.length; index += 1) {
    const position = { words, from, index };
    if (Math.max(0, pauses[index] ?? 0) < requiredPause(position)) continue;
    commas.add(index - 1);
    from = index;
  }
  return commas;
}

function requiredPause(position: CommaCandidate): number {
  if (NON_FINAL_WORDS.has(position.words[position.index - 1] ?? ''))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  return Math.min(...COMMA_RULES.map((rule) => rule(position)));
}
