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
import { hasVerbs, startsClause, SUBORDINATORS, CLAUSE_TAKING_WORDS } from './english-clauses.js';
import { startsQuestion } from './english-questions.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, PRONOUNS, wordSet, SUBJECTS } from './english-words.js';

const NOT_ALL_BUT = wordSet(
  'nothing anything everything all none anyone nobody everyone everybody nowhere cannot help last',
);
const ASKS_WHICH = wordSet(
  'know knows knew ask decide see tell choose say matter remember is are was wonder figure about or and me us him you',
);
/** "I think so", "even so": no clause follows. */
const BEFORE_SO = wordSet('think say said hope guess suppose do did even or if not why be is are was');
/** A clause may open with these before its subject: "and now we". */
const ADVERBS = wordSet('now maybe then also');
const SUBORDINATE = wordSet('if when so because how');
/** A clause that opens with one of these may come before the main one. */
const FIRST = wordSet('when whenever if while although though because since before after until unless once');
const FIRST_PHRASES = parsePhrases(
  'by the time, every time, last time, the first time, the moment, now that, even if, even though',
);
/** May precede a clause that comes first. */
const JOINS = wordSet('and but so because that or well yeah');
/** May be the object of the first clause, or the subject of the main one. */
const OBJECTS = wordSet('it you this those these there her');
const NON_FINAL_IN_CLAUSE = new Set([
  ...[...PREPOSITIONS, ...AUXILIARIES, ...PRONOUNS, ...DETERMINERS, ...SUBORDINATORS, ...CLAUSE_TAKING_WORDS],
  ...['who', 'which', 'why', 'than', 'not', 'and', 'or', 'but', 'that', 'then', 'maybe', 'either'],
]);

/** As in "but it", "and then we", "which". */
export function minPauseBeforeClause(position: CommaPosition): number {
  const { words, from, index } = position;
  const { before, word, after } = getNeighbouringWords(position);
  if (index - from < 2 || words.length - index < 3) return NO_COMMA;
  const subject = ADVERBS.has(after) ? (words[index + 2] ?? '') : after;
  const pronoun = SUBJECTS.has(subject) || SUBORDINATE.has(after);
  const clause = pronoun || startsClause(words, index + 1);
  switch (word) {
    case 'but':
      return NOT_ALL_BUT.has(before) || PREPOSITIONS.has(before) ? NO_COMMA : COMMA_CERTAIN;
    case 'and':
      return pauseBeforeAnd(position, clause);
    case 'so':
      if (BEFORE_SO.has(before) || after === 'that' || !clause) return NO_COMMA;
      return COMMA_CERTAIN;
    case 'or':
      return clause ? COMMA_LIKELY : NO_COMMA;
    case 'because':
      return pronoun && index - from > 4 ? COMMA_LIKELY : COMMA_POSSIBLE;
    case 'which':
      return PREPOSITIONS.has(before) || ASKS_WHICH.has(before) ? NO_COMMA : COMMA_CERTAIN;
    case 'although':
    case 'whereas':
      return COMMA_CERTAIN;
    default:
      return NO_COMMA;
  }
}

function pauseBeforeAnd(position: CommaPosition, clause: boolean): number {
  const { words, from, index } = position;
  const { before, after } = getNeighbouringWords(position);
  const since = index - from;
  const inFirstClause = findSubordinateClauseStart(words, from) !== null;
  if (after === 'then' && since > 4)
    return inFirstClause ? COMMA_POSSIBLE : clause ? COMMA_CERTAIN : COMMA_LIKELY;
  if (!clause || since < 4 || PREPOSITIONS.has(before) || !hasVerbs(words, from, index)) return NO_COMMA;
  if (before === 'you' && after === 'i') return NO_COMMA;
  return inFirstClause ? COMMA_POSSIBLE : COMMA_CERTAIN;
}

/** As in "when I was a child, we". */
export function minPauseAfterSubordinateClause({ words, from, index }: CommaPosition): number {
  const before = words[index - 1] ?? '';
  const start = findSubordinateClauseStart(words, from);
  if (start === null || index - start < 2 || words.length - index < 2) return NO_COMMA;
  if ((NON_FINAL_IN_CLAUSE.has(before) && !OBJECTS.has(before)) || !hasVerbs(words, start, index))
    return NO_COMMA;
  if (startsMainClause(words, index)) return COMMA_CERTAIN;
  return DETERMINERS.has(words[index] ?? '') ? COMMA_LIKELY : NO_COMMA;
}

/** The word after the opening: "and if _". */
export function findSubordinateClauseStart(words: readonly string[], from: number): number | null {
  const start = JOINS.has(words[from] ?? '') ? from + 1 : from;
  const length = matchPhrase(words, start, FIRST_PHRASES) || (FIRST.has(words[start] ?? '') ? 1 : 0);
  // "When did you": a question.
  return length === 0 || AUXILIARIES.has(words[start + length] ?? '') ? null : start + length;
}

function startsMainClause(words: readonly string[], index: number): boolean {
  const [word = '', after = '', third = '', fourth = ''] = words.slice(index, index + 4);
  if (word === 'then' || word === 'please' || startsQuestion(words, index)) return true;
  if (word === 'that' || word === "that's") return false;
  if (OBJECTS.has(word)) return AUXILIARIES.has(after);
  return SUBJECTS.has(word) || (startsClause(words, index) && !PRONOUNS.has(third) && !PRONOUNS.has(fourth));
}
