import { BREATH, LIKELY, NEVER, type Place, POSSIBLE, wordsAround } from './comma-place.js';
import { hasVerbs, opensClause } from './english-clauses.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, set, SUBJECTS } from './english-words.js';

const JOINS = set('and or so because');
/** What is added to a clause after a breath. Most prepositions are not: somebody looks for a word there as often. */
const ADDS = set(
  "if as since while where when who whom whose what how why whether whatever then maybe even just not like both without unless although though obviously especially let's",
);
/** After these a breath is hardly ever one in search of a word. */
const RESTS = set('course again though yeah anyway');
/** "two years ago", "the next day": a time that opens a sentence. */
const TIMES = set(
  'ago later day night morning evening afternoon week month year time moment today tonight yesterday',
);

/** Where the words call for no comma but allow one, a breath makes it. */
export function silenceAtBreath(place: Place): number {
  const { words, from, index } = place;
  const { before, word, after } = wordsAround(place);
  if (index - from < 2 || words.length - index < 2) return NEVER;
  if ([PREPOSITIONS, AUXILIARIES, DETERMINERS, SUBJECTS].some((list) => list.has(before))) return NEVER;
  if (RESTS.has(before)) return LIKELY;
  if (JOINS.has(word)) return SUBJECTS.has(after) || DETERMINERS.has(after) ? LIKELY : POSSIBLE;
  if (ADDS.has(word)) return BREATH;
  return isTime(words, from, index) ? (opensSubject(words, index) ? POSSIBLE : BREATH) : NEVER;
}

/** "in the winter _", "four years ago _": what opens a sentence, and has no verb. */
function isTime(words: readonly string[], from: number, index: number): boolean {
  const opens = PREPOSITIONS.has(words[from] ?? '') || TIMES.has(words[index - 1] ?? '');
  return opens && !hasVerbs(words, from, index);
}

function opensSubject(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return SUBJECTS.has(word) || DETERMINERS.has(word) || opensClause(words, index);
}
