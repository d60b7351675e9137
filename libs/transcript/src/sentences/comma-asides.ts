import {
  COMMA_CERTAIN,
  COMMA_LIKELY,
  NO_COMMA,
  matchPhrase,
  parsePhrases,
  type CommaPosition,
  wordsAround,
} from './comma-position.js';
import { questionTagLength } from './english-questions.js';
import { PREPOSITIONS, wordSet } from './english-words.js';

const EXAMPLES = parsePhrases('for example, for instance');
/** What adds to something that was said. */
const ADDITIONS = parsePhrases(
  'especially, including, such as, except for, apart from, along with, rather than, instead of, as well as, as opposed to, depending on, at least, even if, even though',
);
/** Said twice for weight. */
const REPEATABLE_WORDS = wordSet('no yes yeah okay very really never right well bye wait come hey');
const LAST_WORDS = wordSet("actually basically obviously honestly please yeah sir ma'am");
const LAST_PHRASES = parsePhrases(
  'of course, you know, i think, i guess, i suppose, for example, for instance, or something, or whatever, thank you',
);
/** "as you know", "what I think": no aside. */
const NOT_BEFORE_ASIDE = wordSet(
  "what how that as than do does did don't didn't like who where when why if whatever because and but or even to say said i we let you",
);
const GREETINGS = wordSet('hello hi thanks thank welcome good goodbye okay');
const ADDRESSEES = wordSet('everyone everybody all guys folks');

/** Before an example, or what is added: "for instance", "except for". What follows an example is an opening's. */
export function pauseForAside({ words, from, index }: CommaPosition): number {
  if (index - from < 2 || words.length - index < 3 || NOT_BEFORE_ASIDE.has(words[index - 1] ?? ''))
    return NO_COMMA;
  if (matchPhrase(words, index, EXAMPLES) > 0) return COMMA_CERTAIN;
  return matchPhrase(words, index, ADDITIONS) > 0 ? COMMA_LIKELY : NO_COMMA;
}

/** Between words that are said twice: "no, no". */
export function pauseForRepetition(place: CommaPosition): number {
  const { before, word } = wordsAround(place);
  return before === word && REPEATABLE_WORDS.has(word) ? COMMA_CERTAIN : NO_COMMA;
}

/** Before what is added at the end of a sentence: "isn't it", "I think", "please". */
export function pauseForEndTag(place: CommaPosition): number {
  const { words, from, index } = place;
  const { before, word } = wordsAround(place);
  const left = words.length - index;
  if (left === questionTagLength(words)) return COMMA_CERTAIN;
  if (left === 1 && ADDRESSEES.has(word) && GREETINGS.has(words[0] ?? '') && !PREPOSITIONS.has(before))
    return COMMA_CERTAIN;
  if (index - from < 2 || NOT_BEFORE_ASIDE.has(before) || PREPOSITIONS.has(before)) return NO_COMMA;
  if (left === 1 && (word === 'too' || word === 'though')) return COMMA_LIKELY;
  if (left === 1 && LAST_WORDS.has(word)) return COMMA_CERTAIN;
  return matchPhrase(words, index, LAST_PHRASES) === left ? COMMA_CERTAIN : NO_COMMA;
}
