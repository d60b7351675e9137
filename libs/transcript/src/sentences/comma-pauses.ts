import {
  COMMA_AT_PAUSE,
  COMMA_LIKELY,
  NO_COMMA,
  type CommaPosition,
  COMMA_POSSIBLE,
  getNeighbouringWords,
} from './comma-position.js';
import { hasVerbs, startsClause } from './english-clauses.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, wordSet, SUBJECTS } from './english-words.js';

const CONJUNCTIONS = wordSet('and or so because');
/**
 * Start an addition to a clause after a pause. Most prepositions are missing: a pause there is as often a search for a
 * word.
 */
const ADDITION_STARTERS = wordSet(
  "if as since while where when who whom whose what how why whether whatever then maybe even just not like both without unless although though obviously especially let's",
);
/** A pause after these is hardly ever a search for a word. */
const REST_WORDS = wordSet('course again though yeah anyway');
/** "two years ago", "the next day": a time that opens a sentence. */
const TIME_WORDS = wordSet(
  'ago later day night morning evening afternoon week month year time moment today tonight yesterday',
);

/** A pause decides where the words allow a comma but do not require one. */
export function minPauseForOptionalComma(position: CommaPosition): number {
  const { words, from, index } = position;
  const { before, word, after } = getNeighbouringWords(position);
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

/** As in "in the winter _", "four years ago _". */
function isTimePhrase(words: readonly string[], from: number, index: number): boolean {
  const opens = PREPOSITIONS.has(words[from] ?? '') || TIME_WORDS.has(words[index - 1] ?? '');
  return opens && !hasVerbs(words, from, index);
}

function startsSubject(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return SUBJECTS.has(word) || DETERMINERS.has(word) || startsClause(words, index);
}
