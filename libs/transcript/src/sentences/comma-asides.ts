import {
  MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN,
  MIN_PAUSE_SECONDS_IF_COMMA_LIKELY,
  MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN,
  countMatchedPhraseWords,
  splitPhraseList,
  type CommaCandidate,
  getNeighbouringWords,
} from './comma-candidate.js';
import { countQuestionTagWords } from './english-questions.js';
import { PREPOSITIONS, parseWordSet } from './english-words.js';

const EXAMPLES = splitPhraseList('for example, for instance');
const ADDITIONS = splitPhraseList(
  'especially, including, such as, except for, apart from, along with, rather than, instead of, as well as, as opposed to, depending on, at least, even if, even though',
);
/** Repeated for emphasis. */
const REPEATABLE_WORDS = parseWordSet('no yes yeah okay very really never right well bye wait come hey');
const LAST_WORDS = parseWordSet("actually basically obviously honestly please yeah sir ma'am");
const LAST_PHRASES = splitPhraseList(
  'of course, you know, i think, i guess, i suppose, for example, for instance, or something, or whatever, thank you',
);
/** "as you know", "what I think": no aside. */
const NOT_BEFORE_ASIDE = parseWordSet(
  "what how that as than do does did don't didn't like who where when why if whatever because and but or even to say said i we let you",
);
const GREETINGS = parseWordSet('hello hi thanks thank welcome good goodbye okay');
const ADDRESSEES = parseWordSet('everyone everybody all guys folks');

/** An aside begins with "for instance", "except for" and the like. */
export function getMinPauseSecondsForAside({ words, from, index }: CommaCandidate): number {
  if (index - from < 2 || words.length - index < 3 || NOT_BEFORE_ASIDE.has(words[index - 1] ?? ''))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (countMatchedPhraseWords(words, index, EXAMPLES) > 0) return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
  return countMatchedPhraseWords(words, index, ADDITIONS) > 0
    ? MIN_PAUSE_SECONDS_IF_COMMA_LIKELY
    : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}

/** A word is repeated in "no, no". */
export function getMinPauseSecondsForRepetition(position: CommaCandidate): number {
  const { before, word } = getNeighbouringWords(position);
  return before === word && REPEATABLE_WORDS.has(word)
    ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN
    : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}

/** An end tag is "isn't it", "I think", "please" and the like. */
export function getMinPauseSecondsForEndTag(position: CommaCandidate): number {
  const { words, from, index } = position;
  const { before, word } = getNeighbouringWords(position);
  const left = words.length - index;
  if (left === countQuestionTagWords(words)) return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
  if (left === 1 && ADDRESSEES.has(word) && GREETINGS.has(words[0] ?? '') && !PREPOSITIONS.has(before))
    return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
  if (index - from < 2 || NOT_BEFORE_ASIDE.has(before) || PREPOSITIONS.has(before))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (left === 1 && (word === 'too' || word === 'though')) return MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (left === 1 && LAST_WORDS.has(word)) return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
  return countMatchedPhraseWords(words, index, LAST_PHRASES) === left
    ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN
    : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}
