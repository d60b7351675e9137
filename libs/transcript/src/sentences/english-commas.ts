import { silenceAtAside, silenceAtEnd, silenceAtRepetition } from './comma-asides.js';
import { silenceAfterFirstClause, silenceBeforeClause } from './comma-clauses.js';
import { silenceAfterOpening } from './comma-openings.js';
import { silenceAtBreath } from './comma-breaths.js';
import { NEVER, type Place } from './comma-place.js';
import { LEANS_FORWARD } from './english-words.js';

/** Each tells how much silence a comma needs at a place. */
const RULES = [
  silenceAfterOpening,
  silenceBeforeClause,
  silenceAfterFirstClause,
  silenceAtAside,
  silenceAtRepetition,
  silenceAtEnd,
  silenceAtBreath,
];

/**
 * Where English sets commas in one unpunctuated sentence.
 * @param words lower case
 * @param pauses seconds of silence before each word
 * @returns indices of the words that a comma follows
 */
export function commasAfter(words: readonly string[], pauses: readonly number[]): Set<number> {
  const commas = new Set<number>();
  let from = 0;
  for (let index = 1; index < words.length; index += 1) {
    const place = { words, from, index };
    if (Math.max(0, pauses[index] ?? 0) < silenceForComma(place)) continue;
    commas.add(index - 1);
    from = index;
  }
  return commas;
}

function silenceForComma(place: Place): number {
  if (LEANS_FORWARD.has(place.words[place.index - 1] ?? '')) return NEVER;
  return Math.min(...RULES.map((rule) => rule(place)));
}
