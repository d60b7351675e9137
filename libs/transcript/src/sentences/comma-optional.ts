import {
  MIN_PAUSE_SECONDS_IF_COMMA_UNLIKELY,
  MIN_PAUSE_SECONDS_IF_COMMA_LIKELY,
  MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN,
  type CommaCandidate,
  MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE,
  getNeighbouringWords,
} from './comma-candidate.js';
import { hasVerbs, startsClause } from './english-clauses.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, parseWordSet, SUBJECT_WORDS } from './english-words.js';

const CONJUNCTIONS = parseWordSet('and or so because');
/**
 * Start an addition to a clause after a pause. Most prepositions are missing: a pause there is as often a search for a
 * word.
 */
const ADDITION_STARTERS = parseWordSet(
  "if as since while where when who whom whose what how why whether whatever then maybe even just not like both without unless although though obviously especially let's",
);
/** A pause after these is hardly ever a search for a word. */
const REST_WORDS = parseWordSet('course again though yeah anyway');
/** "two years ago", "the next day": a time that opens a sentence. */
const TIME_WORDS = parseWordSet(
  'ago later day night morning evening afternoon week month year time moment today tonight yesterday',
);

/** A pause decides where the words allow a comma but do not require one. */
export function getMinPauseSecondsForOptionalComma(position: CommaCandidate): number {
  const { words, from, index } = position;
  const { before, word, after } = getNeighbouringWords(position);
  if (index - from < 2 || words.length - index < 2) return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if ([PREPOSITIONS, AUXILIARIES, DETERMINERS, SUBJECT_WORDS].some((list) => list.has(before)))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (REST_WORDS.has(before)) return MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (CONJUNCTIONS.has(word))
    return SUBJECT_WORDS.has(after) || DETERMINERS.has(after)
      ? MIN_PAUSE_SECONDS_IF_COMMA_LIKELY
      : MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE;
  if (ADDITION_STARTERS.has(word)) return MIN_PAUSE_SECONDS_IF_COMMA_UNLIKELY;
  return isTimePhrase(words, from, index)
    ? startsSubject(words, index)
      ? MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE
      : MIN_PAUSE_SECONDS_IF_COMMA_UNLIKELY
    : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}

/** Whether the words are a phrase of time, such as "in the winter" or "four years ago". */
function isTimePhrase(words: readonly string[], from: number, index: number): boolean {
  const opens = PREPOSITIONS.has(words[from] ?? '') || TIME_WORDS.has(words[index - 1] ?? '');
  return opens && !hasVerbs(words, from, index);
}

function startsSubject(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return SUBJECT_WORDS.has(word) || DETERMINERS.has(word) || startsClause(words, index);
}
