import {
  CALLED_FOR,
  LIKELY,
  NEVER,
  phraseAt,
  phrases,
  type Place,
  POSSIBLE,
  wordsAround,
} from './comma-place.js';
import { SUBORDINATORS } from './english-clauses.js';
import { DETERMINERS, PREPOSITIONS, set, SUBJECTS } from './english-words.js';

/** One word that is set off from the sentence that it opens. */
const ANSWERS = set('yes yeah yep nope okay oh well alright');
const GREETINGS = set('hello hi hey');
/** "oh yeah": mostly said, and written, in one. */
const EXCLAIMED = set('yeah yes no my');
const ADVERBS = set(
  'however therefore meanwhile actually finally fortunately unfortunately luckily obviously otherwise nevertheless furthermore moreover honestly basically personally apparently ideally seriously',
);
/** Set off only where a breath is taken. */
const DOUBTFUL = set(
  'so now then sure right look listen anyway sometimes maybe today tonight yesterday first second',
);
const AFTER_NO = set('i you he she we they not no it that thank thanks but');
const AFTER_AN_ANSWER = new Set([
  ...[...SUBJECTS, ...DETERMINERS, ...SUBORDINATORS, ...ANSWERS, ...GREETINGS, ...PREPOSITIONS],
  ...set("and but so no not thank thanks please let let's who why maybe actually"),
]);
const PHRASES = phrases(
  'for example, for instance, in fact, by the way, on the other hand, on the one hand, to be honest, to be fair, in other words, first of all, as a result, in addition, as a matter of fact, i mean, after all, in general, then again, in my opinion, at the same time, at the end of the day',
);
const DOUBTFUL_PHRASES = phrases('of course, to me, for me, like i said, as i said');
const OPENS_A_QUESTION = new Set([...ANSWERS, ...GREETINGS, ...ADVERBS, 'and', 'so', 'but', 'now', 'anyway']);
const JOINS = set('and but so because');

/** After what opens a sentence and is set off from it: "yes", "by the way". */
export function silenceAfterOpening(place: Place): number {
  const { words, from, index } = place;
  const { before, word } = wordsAround(place);
  if (index - from === 1) return silenceAfterOpener(before, word);
  const start = JOINS.has(words[from] ?? '') ? from + 1 : from;
  if (phraseAt(words, start, DOUBTFUL_PHRASES) === index - start) return LIKELY;
  if (phraseAt(words, start, PHRASES) !== index - start) return NEVER;
  return SUBJECTS.has(word) ? CALLED_FOR : LIKELY;
}

/** Index of the first word behind all that only opens the sentence: "okay so by the way _". */
export function behindOpenings(words: readonly string[]): number {
  let index = 0;
  for (let length = 1; length > 0; index += length)
    length = OPENS_A_QUESTION.has(words[index] ?? '') ? 1 : phraseAt(words, index, PHRASES);
  return index;
}

/** Whether the words from one index up to another only open a sentence: "by the way", "and honestly". */
export function isOpening(words: readonly string[], from: number, end: number): boolean {
  const start = JOINS.has(words[from] ?? '') ? from + 1 : from;
  const length = ADVERBS.has(words[start] ?? '') ? 1 : phraseAt(words, start, PHRASES);
  return length > 0 && start + length === end;
}

function silenceAfterOpener(opener: string, word: string): number {
  if (opener === 'no') return AFTER_NO.has(word) ? CALLED_FOR : NEVER;
  if (opener === 'oh' && EXCLAIMED.has(word)) return LIKELY;
  if (GREETINGS.has(opener)) return AFTER_AN_ANSWER.has(word) && word !== 'there' ? CALLED_FOR : NEVER;
  if (ANSWERS.has(opener)) return AFTER_AN_ANSWER.has(word) ? CALLED_FOR : LIKELY;
  if (ADVERBS.has(opener)) return SUBJECTS.has(word) ? CALLED_FOR : LIKELY;
  return DOUBTFUL.has(opener) ? POSSIBLE : NEVER;
}
