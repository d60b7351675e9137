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
import { hasVerbs, opensClause, SUBORDINATORS, TAKES_A_CLAUSE } from './english-clauses.js';
import { asksFrom } from './english-questions.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, PRONOUNS, set, SUBJECTS } from './english-words.js';

const NOT_ALL_BUT = set(
  'nothing anything everything all none anyone nobody everyone everybody nowhere cannot help last',
);
const ASKS_WHICH = set(
  'know knows knew ask decide see tell choose say matter remember is are was wonder figure about or and me us him you',
);
/** "I think so", "even so": no clause follows. */
const BEFORE_SO = set('think say said hope guess suppose do did even or if not why be is are was');
/** What a clause may open with besides its subject: "and now we", "but when". */
const ADVERBS = set('now maybe then also');
const SUBORDINATE = set('if when so because how');
/** A clause that opens with one of these may come before the main one. */
const FIRST = set('when whenever if while although though because since before after until unless once');
const FIRST_PHRASES = phrases(
  'by the time, every time, last time, the first time, the moment, now that, even if, even though',
);
/** What may stand before a clause that comes first. */
const JOINS = set('and but so because that or well yeah');
/** May be the object of the first clause, or the subject of the main one. */
const OBJECTS = set('it you this those these there her');
const LEANS = new Set([
  ...[...PREPOSITIONS, ...AUXILIARIES, ...PRONOUNS, ...DETERMINERS, ...SUBORDINATORS, ...TAKES_A_CLAUSE],
  ...['who', 'which', 'why', 'than', 'not', 'and', 'or', 'but', 'that', 'then', 'maybe', 'either'],
]);

/** Before a clause that goes on from another: "but it", "and then we", "which". */
export function silenceBeforeClause(place: Place): number {
  const { words, from, index } = place;
  const { before, word, after } = wordsAround(place);
  if (index - from < 2 || words.length - index < 3) return NEVER;
  const subject = ADVERBS.has(after) ? (words[index + 2] ?? '') : after;
  const pronoun = SUBJECTS.has(subject) || SUBORDINATE.has(after);
  const clause = pronoun || opensClause(words, index + 1);
  switch (word) {
    case 'but':
      return NOT_ALL_BUT.has(before) || PREPOSITIONS.has(before) ? NEVER : CALLED_FOR;
    case 'and':
      return silenceBeforeAnd(place, clause);
    case 'so':
      if (BEFORE_SO.has(before) || after === 'that' || !clause) return NEVER;
      return CALLED_FOR;
    case 'or':
      return clause ? LIKELY : NEVER;
    case 'because':
      return pronoun && index - from > 4 ? LIKELY : POSSIBLE;
    case 'which':
      return PREPOSITIONS.has(before) || ASKS_WHICH.has(before) ? NEVER : CALLED_FOR;
    case 'although':
    case 'whereas':
      return CALLED_FOR;
    default:
      return NEVER;
  }
}

function silenceBeforeAnd(place: Place, clause: boolean): number {
  const { words, from, index } = place;
  const { before, after } = wordsAround(place);
  const since = index - from;
  const inFirstClause = firstClause(words, from) !== null;
  if (after === 'then' && since > 4) return inFirstClause ? POSSIBLE : clause ? CALLED_FOR : LIKELY;
  if (!clause || since < 4 || PREPOSITIONS.has(before) || !hasVerbs(words, from, index)) return NEVER;
  if (before === 'you' && after === 'i') return NEVER;
  return inFirstClause ? POSSIBLE : CALLED_FOR;
}

/** Before the main clause, where another came first: "when I was a child, we". */
export function silenceAfterFirstClause({ words, from, index }: Place): number {
  const before = words[index - 1] ?? '';
  const start = firstClause(words, from);
  if (start === null || index - start < 2 || words.length - index < 2) return NEVER;
  if ((LEANS.has(before) && !OBJECTS.has(before)) || !hasVerbs(words, start, index)) return NEVER;
  if (opensMainClause(words, index)) return CALLED_FOR;
  return DETERMINERS.has(words[index] ?? '') ? LIKELY : NEVER;
}

/** Index of the first word inside a clause that comes before the main one: "and if _". */
export function firstClause(words: readonly string[], from: number): number | null {
  const start = JOINS.has(words[from] ?? '') ? from + 1 : from;
  const length = phraseAt(words, start, FIRST_PHRASES) || (FIRST.has(words[start] ?? '') ? 1 : 0);
  // "When did you": a question.
  return length === 0 || AUXILIARIES.has(words[start + length] ?? '') ? null : start + length;
}

function opensMainClause(words: readonly string[], index: number): boolean {
  const [word = '', after = '', third = '', fourth = ''] = words.slice(index, index + 4);
  if (word === 'then' || word === 'please' || asksFrom(words, index)) return true;
  if (word === 'that' || word === "that's") return false;
  if (OBJECTS.has(word)) return AUXILIARIES.has(after);
  return SUBJECTS.has(word) || (opensClause(words, index) && !PRONOUNS.has(third) && !PRONOUNS.has(fourth));
}
