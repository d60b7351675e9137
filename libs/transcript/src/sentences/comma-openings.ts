import {
  MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN,
  MIN_PAUSE_SECONDS_IF_COMMA_LIKELY,
  MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN,
  countMatchedPhraseWords,
  splitPhraseList,
  type CommaCandidate,
  MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE,
  getNeighbouringWords,
} from './comma-candidate.js';
import { SUBORDINATORS } from './english-clauses.js';
import { DETERMINERS, PREPOSITIONS, parseWordSet, SUBJECT_WORDS } from './english-words.js';

/** Single words that are set off from the sentence that they open. */
const ANSWERS = parseWordSet('yes yeah yep nope okay oh well alright');
const GREETINGS = parseWordSet('hello hi hey');
/** "oh yeah": mostly written without a comma. */
const EXCLAIMED = parseWordSet('yeah yes no my');
const ADVERBS = parseWordSet(
  'however therefore meanwhile actually finally fortunately unfortunately luckily obviously otherwise nevertheless furthermore moreover honestly basically personally apparently ideally seriously',
);
/** Set off only by a pause. */
const DOUBTFUL = parseWordSet(
  'so now then sure right look listen anyway sometimes maybe today tonight yesterday first second',
);
const AFTER_NO = parseWordSet('i you he she we they not no it that thank thanks but');
const AFTER_AN_ANSWER = new Set([
  ...[...SUBJECT_WORDS, ...DETERMINERS, ...SUBORDINATORS, ...ANSWERS, ...GREETINGS, ...PREPOSITIONS],
  ...parseWordSet("and but so no not thank thanks please let let's who why maybe actually"),
]);
const PHRASES = splitPhraseList(
  'for example, for instance, in fact, by the way, on the other hand, on the one hand, to be honest, to be fair, in other words, first of all, as a result, in addition, as a matter of fact, i mean, after all, in general, then again, in my opinion, at the same time, at the end of the day',
);
const DOUBTFUL_PHRASES = splitPhraseList('of course, to me, for me, like i said, as i said');
const OPENS_A_QUESTION = new Set([...ANSWERS, ...GREETINGS, ...ADVERBS, 'and', 'so', 'but', 'now', 'anyway']);
const CONJUNCTIONS = parseWordSet('and but so because');

/** An opening phrase is "yes", "by the way" and the like. */
export function getMinPauseSecondsAfterOpeningPhrase(position: CommaCandidate): number {
  const { words, from, index } = position;
  const { before, word } = getNeighbouringWords(position);
  if (index - from === 1) return pauseAfterOpeningWord(before, word);
  const start = CONJUNCTIONS.has(words[from] ?? '') ? from + 1 : from;
  if (countMatchedPhraseWords(words, start, DOUBTFUL_PHRASES) === index - start)
    return MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (countMatchedPhraseWords(words, start, PHRASES) !== index - start)
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  return SUBJECT_WORDS.has(word) ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN : MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
}

/** The word after all openings: "okay so by the way _". */
export function findIndexAfterOpenings(words: readonly string[]): number {
  let index = 0;
  for (let length = 1; length > 0; index += length)
    length = OPENS_A_QUESTION.has(words[index] ?? '') ? 1 : countMatchedPhraseWords(words, index, PHRASES);
  return index;
}

/** Whether the words are an opening phrase, such as "by the way" or "and honestly". @param end exclusive */
export function isOpeningPhrase(words: readonly string[], from: number, end: number): boolean {
  const start = CONJUNCTIONS.has(words[from] ?? '') ? from + 1 : from;
  const length = ADVERBS.has(words[start] ?? '') ? 1 : countMatchedPhraseWords(words, start, PHRASES);
  return length > 0 && start + length === end;
}

function pauseAfterOpeningWord(opener: string, word: string): number {
  if (opener === 'no')
    return AFTER_NO.has(word) ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (opener === 'oh' && EXCLAIMED.has(word)) return MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (GREETINGS.has(opener))
    return AFTER_AN_ANSWER.has(word) && word !== 'there'
      ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN
      : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (ANSWERS.has(opener))
    return AFTER_AN_ANSWER.has(word) ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN : MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (ADVERBS.has(opener))
    return SUBJECT_WORDS.has(word) ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN : MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  return DOUBTFUL.has(opener) ? MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}
