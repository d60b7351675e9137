import { asksFrom } from './english-questions.js';
import {
  AUXILIARIES,
  DETERMINERS,
  LEANS_FORWARD,
  PLAIN_VERBS,
  PREPOSITIONS,
  PRONOUNS,
  set,
  SUBJECTS,
} from './english-words.js';

/**
 * The silence that ends a sentence, in parts of what ends one where the words say nothing. Chosen on talk and prose that
 * docs/speech/punctuation.md describes.
 */
const PART = { leaning: 3.5, unlikely: 2.2, even: 1, whole: 0.75, likely: 0.4, sure: 0.2, asks: 0.1 };

/** What a sentence opens with, and hardly ever goes on with. */
const OPENERS = set('yes yeah okay oh hello hi thanks welcome please anyway maybe perhaps');
const OPENING_PAIRS = set('thank_you let_me good_morning good_afternoon of_course');
/** A pronoun after these begins what they tell: "I think he is", "the day we met". */
const TAKES_A_CLAUSE = set(
  'that think thinks thought know knows knew say says said hope hoped guess suppose believe believes believed mean means see feel sure afraid remember tell told wish bet find found show shows like way time day thing place',
);
/** A sentence that opens with one of these, or with a preposition, waits for its main clause. */
const SUBORDINATORS = set(
  'when whenever if as while although though because since before after until unless once where wherever what how whether',
);
const GOES_ON = set(
  'of to than or which who whom whose that why how what where whether and because for with from at on into as by but until me him us them under between through among toward towards onto upon near across against',
);
/** Somebody in general: these open a sentence where a verb follows. */
const ANYBODY = set('nobody somebody everybody someone everyone nothing something everything most people');
/** Between a pronoun and its verb: "she never", "they usually". */
const ADVERBS = set('never always just also only still usually often really probably even');
/** How far the verb may be from the first word of who does it: "the old lady next door is". */
const REACH_OF_VERB = 3;
/** Something follows these, but for the pronouns that are objects too. */
const LEANS = new Set([
  ...PRONOUNS,
  ...PREPOSITIONS,
  ...AUXILIARIES,
  ...SUBORDINATORS,
  'not',
  'who',
  'why',
  'which',
]);
const OBJECTS = set('you it');
const VERB_ENDING = /'(s|re|m|ve|ll|d)$|..(?<!hundr|ne|e)ed$/;
/** How far back a verb is looked for: no sentence is longer. */
const REACH = 40;

/**
 * How much silence ends an English sentence between two words.
 * @param words lower case, of one speaker
 * @param from index of the first word of the sentence
 * @param index of the word that would begin the next one
 * @returns in parts of the usual
 */
export function silenceNeeded(words: readonly string[], from: number, index: number): number {
  const before = words[index - 1] ?? '';
  const word = words[index] ?? '';
  const after = words[index + 1] ?? '';
  const leans = LEANS.has(before) && !OBJECTS.has(before) && !before.endsWith("n't");
  if (LEANS_FORWARD.has(before)) return PART.leaning;
  if ((!leans || AUXILIARIES.has(before)) && asksFrom(words, index)) return PART.asks;
  if (waitsForVerb(words, from, index)) return PART.unlikely;
  // "I did", "yes it is": so short a sentence may end on what leans, but not begin with it.
  if (leans && (index - from !== 2 || !AUXILIARIES.has(before)))
    return AUXILIARIES.has(before) && PRONOUNS.has(word) ? PART.even : PART.unlikely;
  if (OPENERS.has(word) || OPENING_PAIRS.has(`${word}_${after}`)) return PART.sure;
  if (GOES_ON.has(word) && !(word === 'that' && AUXILIARIES.has(after))) return PART.unlikely;
  if (TAKES_A_CLAUSE.has(before) || !isWhole(words, from, index)) return PART.even;
  if (SUBJECTS.has(word) || opensClause(words, index)) return PART.likely;
  return OBJECTS.has(before) ? PART.even : PART.whole;
}

/** Whether the sentence has come no further than "it", or "she never". */
function waitsForVerb(words: readonly string[], from: number, index: number): boolean {
  const last = ADVERBS.has(words[index - 1] ?? '') ? index - 2 : index - 1;
  return last >= from && PRONOUNS.has(words[last] ?? '') && (last < index - 1 || last === from);
}

/** "the door will", "my brother and I were", "nobody wants": who does something, and that they do. */
function opensClause(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  if (ANYBODY.has(word)) return isVerb(words[index + 1] ?? '', '');
  if (!DETERMINERS.has(word) || isVerb(words[index - 1] ?? '', words[index - 2] ?? '')) return false;
  const next = words.slice(index + 2, index + 2 + REACH_OF_VERB);
  const verb = next.findIndex((one) => AUXILIARIES.has(one) || PREPOSITIONS.has(one));
  return verb >= 0 && AUXILIARIES.has(next[verb] ?? '');
}

/** Whether the words can stand by themselves: they have a verb, and one more where the first waits for its main clause. */
function isWhole(words: readonly string[], from: number, end: number): boolean {
  const first = words[from] ?? '';
  const needed = SUBORDINATORS.has(first) || PREPOSITIONS.has(first) ? 2 : 1;
  let verbs = 0;
  for (let index = Math.max(from, end - REACH); index < end && verbs < needed; index += 1)
    if (isVerb(words[index] ?? '', index > from ? (words[index - 1] ?? '') : '')) verbs += 1;
  return verbs === needed;
}

function isVerb(word: string, before: string): boolean {
  if (AUXILIARIES.has(word) || PLAIN_VERBS.has(word) || PRONOUNS.has(before)) return true;
  return VERB_ENDING.test(word);
}
