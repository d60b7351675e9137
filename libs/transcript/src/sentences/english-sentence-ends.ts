import { findIndexAfterSubordinator } from './comma-clauses.js';
import { isOpeningPhrase } from './comma-openings.js';
import { hasVerbs, startsClause, SUBORDINATORS, CLAUSE_TAKING_WORDS } from './english-clauses.js';
import { startsQuestion, countQuestionTagWords } from './english-questions.js';
import {
  AUXILIARIES,
  NON_FINAL_WORDS,
  PREPOSITIONS,
  PRONOUNS,
  parseWordSet,
  SUBJECT_WORDS,
} from './english-words.js';

/** Apply where the words are not decisive. Tuned on the material of docs/speech/punctuation.md. */
const PAUSE_FACTOR = { leaning: 3.5, unlikely: 2.2, even: 1, whole: 0.75, likely: 0.4, sure: 0.2, asks: 0.1 };

/** Hardly ever continue a sentence. */
const OPENERS = parseWordSet("yes yeah okay oh hello hi thanks welcome please anyway maybe perhaps let's");
const OPENING_PAIRS = parseWordSet('thank_you let_me good_morning good_afternoon of_course');
const GREETINGS = parseWordSet('good_morning good_afternoon good_evening thank_you');
const CONTINUATION_WORDS = parseWordSet(
  'of to than or which who whom whose that why how what where whether and because for with from at on into as by but until me him us them under between through among toward towards onto upon near across against',
);
/** Adverbs that stand between a pronoun and its verb: "she never", "they usually". */
const ADVERBS = parseWordSet('never always just also only still usually often really probably even');
/** Something follows these, except after pronouns that may be objects. */
const NON_FINAL = new Set([
  ...PRONOUNS,
  ...PREPOSITIONS,
  ...AUXILIARIES,
  ...SUBORDINATORS,
  'not',
  'who',
  'why',
  'which',
]);
const OBJECTS = parseWordSet('you it');
const MAX_LOOKBACK_WORDS = 40;

/**
 * @param words lower case, of one speaker
 * @param from index of the first word of the sentence
 * @param index of the word that would begin the next one
 */
export function computeSentencePauseFactor(words: readonly string[], from: number, index: number): number {
  const before = words[index - 1] ?? '';
  const word = words[index] ?? '';
  const after = words[index + 1] ?? '';
  const leans = NON_FINAL.has(before) && !OBJECTS.has(before) && !before.endsWith("n't");
  if (NON_FINAL_WORDS.has(before) || isOpeningPhrase(words, from, index) || isLastTag(words, index))
    return PAUSE_FACTOR.leaning;
  const whole = isWhole(words, from, index);
  if (!whole && words[from] !== 'because' && findIndexAfterSubordinator(words, from) !== null)
    return PAUSE_FACTOR.unlikely;
  if ((!leans || AUXILIARIES.has(before)) && startsQuestion(words, index)) return PAUSE_FACTOR.asks;
  if (isGreeting(words, from, index)) return PAUSE_FACTOR.asks;
  if (waitsForVerb(words, from, index)) return PAUSE_FACTOR.unlikely;
  // "I did", "yes it is": so short a sentence may end on what leans, but not begin with it.
  if (leans && (index - from !== 2 || !AUXILIARIES.has(before)))
    return AUXILIARIES.has(before) && PRONOUNS.has(word) ? PAUSE_FACTOR.even : PAUSE_FACTOR.unlikely;
  if (OPENERS.has(word) || OPENING_PAIRS.has(`${word}_${after}`)) return PAUSE_FACTOR.sure;
  if (CONTINUATION_WORDS.has(word) && !(word === 'that' && AUXILIARIES.has(after)))
    return PAUSE_FACTOR.unlikely;
  if (CLAUSE_TAKING_WORDS.has(before) || !whole) return PAUSE_FACTOR.even;
  if (SUBJECT_WORDS.has(word) || startsClause(words, index)) return PAUSE_FACTOR.likely;
  return OBJECTS.has(before) ? PAUSE_FACTOR.even : PAUSE_FACTOR.whole;
}

/** Whether a verb must follow, as after "it" or "she never". */
function waitsForVerb(words: readonly string[], from: number, index: number): boolean {
  const last = ADVERBS.has(words[index - 1] ?? '') ? index - 2 : index - 1;
  return last >= from && PRONOUNS.has(words[last] ?? '') && (last < index - 1 || last === from);
}

/** Whether the words are a greeting such as "good morning", which a statement or a question follows. */
function isGreeting(words: readonly string[], from: number, index: number): boolean {
  const next = words[index] ?? '';
  const greets = index - from === 2 && GREETINGS.has(`${words[from]}_${words[from + 1]}`);
  return greets && (SUBJECT_WORDS.has(next) || AUXILIARIES.has(next));
}

/** Whether the last words are a tag such as "won't she" or "isn't it", which is no question by itself. */
function isLastTag(words: readonly string[], index: number): boolean {
  return index + 2 === words.length && countQuestionTagWords(words) === 2;
}

/** There is a verb, and a second one after an opening subordinate clause. */
function isWhole(words: readonly string[], from: number, end: number): boolean {
  const first = words[from] ?? '';
  const needed = SUBORDINATORS.has(first) || PREPOSITIONS.has(first) ? 2 : 1;
  return hasVerbs(words, Math.max(from, end - MAX_LOOKBACK_WORDS), end, needed);
}
