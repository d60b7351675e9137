import {
  COMMA_AT_PAUSE,
  COMMA_LIKELY,
  NO_COMMA,
  type CommaPosition,
  COMMA_POSSIBLE,
  wordsAround,
} from './comma-position.js';
import { hasVerbs, startsClause } from './english-clauses.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, wordSet, SUBJECTS } from './english-words.js';

const CONJUNCTIONS = wordSet('and or so because');
/** What is added to a clause after a breath. Most prepositions are not: somebody looks for a word there as often. */
const ADDITION_STARTERS = wordSet(
  "if as since while where when who whom whose what how why whether whatever then maybe even just not like both without unless although though obviously especially let's",
);
/** After these a breath is hardly ever one in search of a word. */
const REST_WORDS = wordSet('course again though yeah anyway');
/** "two years ago", "the next day": a time that opens a sentence. */
const TIME_WORDS = wordSet(
  'ago later day night morning evening afternoon week month year time moment today tonight yesterday',
);

/** Where the words call for no comma but allow one, a breath makes it. */
export function pauseForOptionalComma(place: CommaPosition): number {
  const { words, from, index } = place;
  const { before, word, after } = wordsAround(place);
  if (index - from < 2 || words.length - index < 2) return NO_COMMA;
  if ([PREPOSITIONS, AUXILIARIES, DETERMINERS, SUBJECTS].some((list) => list.has(before))) return NO_COMMA;
  if (REST_WORDS.has(before)) return COMMA_LIKELY;
  if (CONJUNCTIONS.has(word))
    return SUBJECTS.has(after) || DETERMINERS.has(after) ? COMMA_LIKELY : COMMA_POSSIBLE;
  if (ADDITION_STARTERS.has(word)) return COMMA_AT_PAUSE;
  return isTimePhrase(words, from, index)
    ? startsSubject(words, index)
      ? COMMA_POSSIBLE
      : COMMA_AT_PAUSE
    : NO_COMMA;
}

/** "in the winter _", "four years ago _": what opens a sentence, and has no verb. */
function isTimePhrase(words: readonly string[], from: number, index: number): boolean {
  const opens = PREPOSITIONS.has(words[from] ?? '') || TIME_WORDS.has(words[index - 1] ?? '');
  return opens && !hasVerbs(words, from, index);
}

function startsSubject(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return SUBJECTS.has(word) || DETERMINERS.has(word) || startsClause(words, index);
}
