import { CALLED_FOR, LIKELY, NEVER, phraseAt, phrases, type Place, wordsAround } from './comma-place.js';
import { tagLength } from './english-questions.js';
import { PREPOSITIONS, set } from './english-words.js';

const EXAMPLES = phrases('for example, for instance');
/** What adds to something that was said. */
const ADDITIONS = phrases(
  'especially, including, such as, except for, apart from, along with, rather than, instead of, as well as, as opposed to, depending on, at least, even if, even though',
);
/** Said twice for weight. */
const REPEATED = set('no yes yeah okay very really never right well bye wait come hey');
const LAST_WORDS = set("actually basically obviously honestly please yeah sir ma'am");
const LAST_PHRASES = phrases(
  'of course, you know, i think, i guess, i suppose, for example, for instance, or something, or whatever, thank you',
);
/** "as you know", "what I think": no aside. */
const GOES_WITH = set(
  "what how that as than do does did don't didn't like who where when why if whatever because and but or even to say said i we let you",
);
const GREETINGS = set('hello hi thanks thank welcome good goodbye okay');
const ALL = set('everyone everybody all guys folks');

/** Before an example, or what is added: "for instance", "except for". What follows an example is an opening's. */
export function silenceAtAside({ words, from, index }: Place): number {
  if (index - from < 2 || words.length - index < 3 || GOES_WITH.has(words[index - 1] ?? '')) return NEVER;
  if (phraseAt(words, index, EXAMPLES) > 0) return CALLED_FOR;
  return phraseAt(words, index, ADDITIONS) > 0 ? LIKELY : NEVER;
}

/** Between words that are said twice: "no, no". */
export function silenceAtRepetition(place: Place): number {
  const { before, word } = wordsAround(place);
  return before === word && REPEATED.has(word) ? CALLED_FOR : NEVER;
}

/** Before what is added at the end of a sentence: "isn't it", "I think", "please". */
export function silenceAtEnd(place: Place): number {
  const { words, from, index } = place;
  const { before, word } = wordsAround(place);
  const left = words.length - index;
  if (left === tagLength(words)) return CALLED_FOR;
  if (left === 1 && ALL.has(word) && GREETINGS.has(words[0] ?? '') && !PREPOSITIONS.has(before))
    return CALLED_FOR;
  if (index - from < 2 || GOES_WITH.has(before) || PREPOSITIONS.has(before)) return NEVER;
  if (left === 1 && (word === 'too' || word === 'though')) return LIKELY;
  if (left === 1 && LAST_WORDS.has(word)) return CALLED_FOR;
  return phraseAt(words, index, LAST_PHRASES) === left ? CALLED_FOR : NEVER;
}
