import { AUXILIARIES, DETERMINERS, PRONOUNS, SUBJECTS } from './english-words.js';

/** What may stand before a question. */
const JOINS = new Set(['and', 'so', 'but']);
const ASKING = new Set(['what', 'where', 'who', 'whom', 'whose', 'why', 'how', 'which', 'when']);
const ASKING_CONTRACTIONS = /^(what|where|who|how|when|why)'(s|re|d|ll)$/;
const ASKING_PAIRS = new Set([
  'how about',
  'what about',
  'why not',
  'how come',
  'what happened',
  'what happens',
  'what if',
  'who told',
  'who said',
  'who knows',
  'who wants',
]);
const OTHER_SUBJECTS = new Set([
  'anyone',
  'anybody',
  'everyone',
  'everybody',
  'someone',
  'somebody',
  'anything',
  'everything',
  'something',
]);
/** "do the dishes", "have a seat", "had I known", "should you need it", "may you live long": no questions. */
const ASKS_ONLY_PRONOUNS = new Set(['do', 'have', 'has', 'can', 'could', 'would', 'should']);
const NEVER_ASKS = new Set(['had', 'may', 'might', 'must', 'be', 'been', 'being', "hadn't"]);
const MEASURES = new Set(['many', 'much', 'long', 'often', 'far', 'old', 'big', 'fast', 'soon']);
/** How far an asking word may be from its verb: "how many of the red apples do you ...". */
const REACH = 5;

/** Whether an unpunctuated English sentence, in lower case, asks. Silent where the order of words leaves doubt. */
export function isQuestion(words: readonly string[]): boolean {
  const body = words.slice(JOINS.has(words[0] ?? '') ? 1 : 0);
  return body.length > 1 && (asksWithWord(body) || isInverted(body, 0) || hasTag(body));
}

/** "isn't it", "don't you" at the very end, after a statement. */
export function hasTag(words: readonly string[]): boolean {
  const [verb = '', subject = ''] = words.slice(-2);
  return words.length > 3 && verb.endsWith("n't") && AUXILIARIES.has(verb) && PRONOUNS.has(subject);
}

/** Whether a question begins at a word, as far as its first words tell: "what do you", "and how much is", "is that". */
export function asksFrom(words: readonly string[], at: number): boolean {
  const [first = '', second = '', third = ''] = words.slice(at, at + 3);
  if (JOINS.has(first)) return asksFrom(words, at + 1);
  if (first === 'does' && second === 'that') return true;
  if (!ASKING.has(first)) return isInverted(words, at) && (PRONOUNS.has(second) || second === 'there');
  // "the man who is my uncle", "the day when the sun": these ask only where the order shows it.
  if (first === 'which' || ((first === 'who' || first === 'when') && !PRONOUNS.has(third))) return false;
  return asksWithWord(words.slice(at, at + REACH + 1));
}

function asksWithWord(words: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = words;
  if (ASKING_PAIRS.has(`${first} ${second}`)) return true;
  if (ASKING_CONTRACTIONS.test(first)) return first !== "when's";
  if (!ASKING.has(first)) return false;
  if (AUXILIARIES.has(second)) {
    // "which is why we left", "when is not the point": only an inverted order asks.
    return first === 'which' || first === 'when' ? isSubject(third) : true;
  }
  for (let index = 1; index < Math.min(REACH, words.length); index += 1) {
    if (SUBJECTS.has(words[index] ?? '')) return false;
    if (isInverted(words, index)) return true;
    // "how many people are coming": what is counted is the subject itself.
    if (index > 1 && first === 'how' && MEASURES.has(second) && AUXILIARIES.has(words[index] ?? ''))
      return true;
  }
  return false;
}

function isInverted(words: readonly string[], at: number): boolean {
  const verb = words[at] ?? '';
  const subject = words[at + 1] ?? '';
  if (!AUXILIARIES.has(verb) || NEVER_ASKS.has(verb)) return false;
  if (at === 0 && verb === 'should' && subject === 'you') return false;
  if (at === 0 && ASKS_ONLY_PRONOUNS.has(verb)) return PRONOUNS.has(subject) || OTHER_SUBJECTS.has(subject);
  if (at === 0 && verb.startsWith("don't")) return PRONOUNS.has(subject);
  return isSubject(subject);
}

function isSubject(word: string): boolean {
  return PRONOUNS.has(word) || DETERMINERS.has(word) || OTHER_SUBJECTS.has(word) || word === 'there';
}
