import { findIndexAfterOpenings } from './comma-openings.js';
import { AUXILIARIES, DETERMINERS, PRONOUNS, SUBJECT_WORDS } from './english-words.js';

/** May precede a question. */
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
/** Maximum distance of a question word from its verb: "how many of the red apples do you ...". */
const MAX_VERB_DISTANCE = 5;

/** "all right", "you are right", "turn right", "get it right": no tag. */
const GOES_WITH_RIGHT = new Set(
  "all that's you're he's she's it's we're they're i'm the a my your his her our their turn on to not just quite always it so about do get got done and or".split(
    ' ',
  ),
);
/** "to do it", "you have it": no tags. */
const TAG_EXCEPTIONS = new Set(['do', 'did', 'have', 'had', 'be']);
/** Negations, which a tag without "not" inverts. */
const NEGATION = /n't |\b(not|never|nobody|nothing|no one) /;
/** "he is not sure how should I", "neither do I": no tags. */
const JOINS_A_CLAUSE = new Set(
  'how what who why where when if whether which than as and but or so because neither nor only'.split(' '),
);

/** @param words unpunctuated, lower case @returns false if the word order is ambiguous */
export function isQuestion(words: readonly string[]): boolean {
  const body = words.slice(findIndexAfterOpenings(words));
  return body.length > 1 && (hasQuestionWord(body) || isInverted(body, 0) || countQuestionTagWords(body) > 0);
}

/** The length of a tag at the end, such as "isn't it", "did you" or "right"; 0 if there is none. */
export function countQuestionTagWords(words: readonly string[]): 0 | 1 | 2 {
  const [before = '', verb = '', subject = ''] = words.slice(-3);
  if (subject === 'right')
    return words.length > 4 && !GOES_WITH_RIGHT.has(verb) && !AUXILIARIES.has(verb) ? 1 : 0;
  if (words.length < 4 || !AUXILIARIES.has(verb) || !PRONOUNS.has(subject)) return 0;
  if (verb.endsWith("n't")) return 2;
  if (subject === 'it' && TAG_EXCEPTIONS.has(verb)) return 0;
  return NEGATION.test(words.slice(0, -2).join(' ')) && !JOINS_A_CLAUSE.has(before) ? 2 : 0;
}

/** Whether a question starts here, as with "what do you", "and how much is" or "is that". */
export function startsQuestion(words: readonly string[], at: number): boolean {
  const [first = '', second = '', third = ''] = words.slice(at, at + 3);
  if (JOINS.has(first)) return startsQuestion(words, at + 1);
  if (first === 'does' && second === 'that') return true;
  if (!ASKING.has(first)) return isInverted(words, at) && (PRONOUNS.has(second) || second === 'there');
  // "the man who is my uncle", "the day when the sun": these ask only where the order shows it.
  if (first === 'which' || ((first === 'who' || first === 'when') && !PRONOUNS.has(third))) return false;
  return hasQuestionWord(words.slice(at, at + MAX_VERB_DISTANCE + 1));
}

function hasQuestionWord(words: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = words;
  if (ASKING_PAIRS.has(`${first} ${second}`)) return true;
  if (ASKING_CONTRACTIONS.test(first)) return first !== "when's";
  if (!ASKING.has(first)) return false;
  if (AUXILIARIES.has(second)) {
    // "which is why we left", "when is not the point": only an inverted order asks.
    return first === 'which' || first === 'when' ? isSubject(third) : true;
  }
  for (let index = 1; index < Math.min(MAX_VERB_DISTANCE, words.length); index += 1) {
    if (SUBJECT_WORDS.has(words[index] ?? '')) return false;
    if (isInverted(words, index)) return true;
    // "how many people are coming": the counted noun is the subject itself.
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
