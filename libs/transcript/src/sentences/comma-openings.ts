import {
  COMMA_CERTAIN,
  COMMA_LIKELY,
  NO_COMMA,
  matchPhrase,
  parsePhrases,
  type CommaPosition,
  COMMA_POSSIBLE,
  getNeighbouringWords,
} from './comma-position.js';
import { SUBORDINATORS } from './english-clauses.js';
import { DETERMINERS, PREPOSITIONS, wordSet, SUBJECTS } from './english-words.js';

/** Single words that are set off from the sentence that they open. */
const ANSWERS = wordSet('yes yeah yep nope okay oh well alright');
const GREETINGS = wordSet('hello hi hey');
/** "oh yeah": mostly written without a comma. */
const EXCLAIMED = wordSet('yeah yes no my');
const ADVERBS = wordSet(
  'however therefore meanwhile actually finally fortunately unfortunately luckily obviously otherwise nevertheless furthermore moreover honestly basically personally apparently ideally seriously',
);
/** Set off only by a pause. */
const DOUBTFUL = wordSet(
  'so now then sure right look listen anyway sometimes maybe today tonight yesterday first second',
);
const AFTER_NO = wordSet('i you he she we they not no it that thank thanks but');
const AFTER_AN_ANSWER = new Set([
  ...[...SUBJECTS, ...DETERMINERS, ...SUBORDINATORS, ...ANSWERS, ...GREETINGS, ...PREPOSITIONS],
  ...wordSet("and but so no not thank thanks please let let's who why maybe actually"),
]);
const PHRASES = parsePhrases(
  'for example, for instance, in fact, by the way, on the other hand, on the one hand, to be honest, to be fair, in other words, first of all, as a result, in addition, as a matter of fact, i mean, after all, in general, then again, in my opinion, at the same time, at the end of the day',
);
const DOUBTFUL_PHRASES = parsePhrases('of course, to me, for me, like i said, as i said');
const OPENS_A_QUESTION = new Set([...ANSWERS, ...GREETINGS, ...ADVERBS, 'and', 'so', 'but', 'now', 'anyway']);
const CONJUNCTIONS = wordSet('and but so because');

/** As in "yes", "by the way". */
export function minPauseAfterOpening(position: CommaPosition): number {
  const { words, from, index } = position;
  const { before, word } = getNeighbouringWords(position);
  if (index - from === 1) return pauseAfterOpeningWord(before, word);
  const start = CONJUNCTIONS.has(words[from] ?? '') ? from + 1 : from;
  if (matchPhrase(words, start, DOUBTFUL_PHRASES) === index - start) return COMMA_LIKELY;
  if (matchPhrase(words, start, PHRASES) !== index - start) return NO_COMMA;
  return SUBJECTS.has(word) ? COMMA_CERTAIN : COMMA_LIKELY;
}

/** The word after all openings: "okay so by the way _". */
export function skipOpenings(words: readonly string[]): number {
  let index = 0;
  for (let length = 1; length > 0; index += length)
    length = OPENS_A_QUESTION.has(words[index] ?? '') ? 1 : matchPhrase(words, index, PHRASES);
  return index;
}

/** As in "by the way", "and honestly". @param end exclusive */
export function isOpening(words: readonly string[], from: number, end: number): boolean {
  const start = CONJUNCTIONS.has(words[from] ?? '') ? from + 1 : from;
  const length = ADVERBS.has(words[start] ?? '') ? 1 : matchPhrase(words, start, PHRASES);
  return length > 0 && start + length === end;
}

function pauseAfterOpeningWord(opener: string, word: string): number {
  if (opener === 'no') return AFTER_NO.has(word) ? COMMA_CERTAIN : NO_COMMA;
  if (opener === 'oh' && EXCLAIMED.has(word)) return COMMA_LIKELY;
  if (GREETINGS.has(opener)) return AFTER_AN_ANSWER.has(word) && word !== 'there' ? COMMA_CERTAIN : NO_COMMA;
  if (ANSWERS.has(opener)) return AFTER_AN_ANSWER.has(word) ? COMMA_CERTAIN : COMMA_LIKELY;
  if (ADVERBS.has(opener)) return SUBJECTS.has(word) ? COMMA_CERTAIN : COMMA_LIKELY;
  return DOUBTFUL.has(opener) ? COMMA_POSSIBLE : NO_COMMA;
}
