import { pauseForAside, pauseForEndTag, pauseForRepetition } from './comma-asides.js';
import { pauseAfterSubordinateClause, pauseBeforeClause } from './comma-clauses.js';
import { pauseAfterOpening } from './comma-openings.js';
import { pauseForOptionalComma } from './comma-pauses.js';
import { NO_COMMA, type CommaPosition } from './comma-position.js';
import { NON_FINAL_WORDS } from './english-words.js';

/** Each tells how much silence a comma needs at a place. */
const COMMA_RULES = [
  pauseAfterOpening,
  pauseBeforeClause,
  pauseAfterSubordinateClause,
  pauseForAside,
  pauseForRepetition,
  pauseForEndTag,
  pauseForOptionalComma,
];

/**
 * Where English sets commas in one unpunctuated sentence.
 * @param words lower case
 * @param pauses seconds of silence before each word
 * @returns indices of the words that a comma follows
 */
export function findCommas(words: readonly string[], pauses: readonly number[]): Set<number> {
  const commas = new Set<number>();
  let from = 0;
  for (let index = 1; index < words.length; index += 1) {
    const place = { words, from, index };
    if (Math.max(0, pauses[index] ?? 0) < requiredPause(place)) continue;
    commas.add(index - 1);
    from = index;
  }
  return commas;
}

function requiredPause(place: CommaPosition): number {
  if (NON_FINAL_WORDS.has(place.words[place.index - 1] ?? '')) return NO_COMMA;
  return Math.min(...COMMA_RULES.map((rule) => rule(place)));
}
