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
import { hasVerbs, startsClause, SUBORDINATORS, CLAUSE_TAKING_WORDS } from './english-clauses.js';
import { startsQuestion } from './english-questions.js';
import {
  AUXILIARIES,
  DETERMINERS,
  PREPOSITIONS,
  PRONOUNS,
  parseWordSet,
  SUBJECT_WORDS,
} from './english-words.js';

const NOT_ALL_BUT = parseWordSet(
  'nothing anything everything all none anyone nobody everyone everybody nowhere cannot help last',
);
const ASKS_WHICH = parseWordSet(
  'know knows knew ask decide see tell choose say matter remember is are was wonder figure about or and me us him you',
);
/** "I think so", "even so": no clause follows. */
const BEFORE_SO = parseWordSet('think say said hope guess suppose do did even or if not why be is are was');
/** A clause may open with these before its subject: "and now we". */
const ADVERBS = parseWordSet('now maybe then also');
const SUBORDINATE = parseWordSet('if when so because how');
/** A clause that opens with one of these may come before the main one. */
const FIRST = parseWordSet(
  'when whenever if while although though because since before after until unless once',
);
const FIRST_PHRASES = splitPhraseList(
  'by the time, every time, last time, the first time, the moment, now that, even if, even though',
);
/** May precede a clause that comes first. */
const JOINS = parseWordSet('and but so because that or well yeah');
/** May be the object of the first clause, or the subject of the main one. */
const OBJECTS = parseWordSet('it you this those these there her');
const NON_FINAL_IN_CLAUSE = new Set([
  ...[...PREPOSITIONS, ...AUXILIARIES, ...PRONOUNS, ...DETERMINERS, ...SUBORDINATORS, ...CLAUSE_TAKING_WORDS],
  ...['who', 'which', 'why', 'than', 'not', 'and', 'or', 'but', 'that', 'then', 'maybe', 'either'],
]);

/** A clause begins with "but it", "and then we", "which" and the like. */
export function getMinPauseSecondsForCommaBeforeClause(position: CommaCandidate): number {
  const { words, from, index } = position;
  const { before, word, after } = getNeighbouringWords(position);
  if (index - from < 2 || words.length - index < 3) return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  const subject = ADVERBS.has(after) ? (words[index + 2] ?? '') : after;
  const pronoun = SUBJECT_WORDS.has(subject) || SUBORDINATE.has(after);
  const clause = pronoun || startsClause(words, index + 1);
  switch (word) {
    case 'but':
      return NOT_ALL_BUT.has(before) || PREPOSITIONS.has(before)
        ? MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN
        : MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
    case 'and':
      return pauseBeforeAnd(position, clause);
    case 'so':
      if (BEFORE_SO.has(before) || after === 'that' || !clause) return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
      return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
    case 'or':
      return clause ? MIN_PAUSE_SECONDS_IF_COMMA_LIKELY : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
    case 'because':
      return pronoun && index - from > 4
        ? MIN_PAUSE_SECONDS_IF_COMMA_LIKELY
        : MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE;
    case 'which':
      return PREPOSITIONS.has(before) || ASKS_WHICH.has(before)
        ? MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN
        : MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
    case 'although':
    case 'whereas':
      return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
    default:
      return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  }
}

function pauseBeforeAnd(position: CommaCandidate, clause: boolean): number {
  const { words, from, index } = position;
  const { before, after } = getNeighbouringWords(position);
  const since = index - from;
  const inFirstClause = findIndexAfterSubordinator(words, from) !== null;
  if (after === 'then' && since > 4)
    return inFirstClause
      ? MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE
      : clause
        ? MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN
        : MIN_PAUSE_SECONDS_IF_COMMA_LIKELY;
  if (!clause || since < 4 || PREPOSITIONS.has(before) || !hasVerbs(words, from, index))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (before === 'you' && after === 'i') return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  return inFirstClause ? MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE : MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
}

/** A subordinate clause ends before the comma of "when I was a child, we". */
export function getMinPauseSecondsAfterSubordinateClause({ words, from, index }: CommaCandidate): number {
  const before = words[index - 1] ?? '';
  const start = findIndexAfterSubordinator(words, from);
  if (start === null || index - start < 2 || words.length - index < 2)
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if ((NON_FINAL_IN_CLAUSE.has(before) && !OBJECTS.has(before)) || !hasVerbs(words, start, index))
    return MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
  if (startsMainClause(words, index)) return MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN;
  return DETERMINERS.has(words[index] ?? '')
    ? MIN_PAUSE_SECONDS_IF_COMMA_LIKELY
    : MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN;
}

/** The word after the opening: "and if _". */
export function findIndexAfterSubordinator(words: readonly string[], from: number): number | null {
  const start = JOINS.has(words[from] ?? '') ? from + 1 : from;
  const length =
    countMatchedPhraseWords(words, start, FIRST_PHRASES) || (FIRST.has(words[start] ?? '') ? 1 : 0);
  // "When did you": a question.
  return length === 0 || AUXILIARIES.has(words[start + length] ?? '') ? null : start + length;
}

function startsMainClause(words: readonly string[], index: number): boolean {
  const [word = '', after = '', third = '', fourth = ''] = words.slice(index, index + 4);
  if (word === 'then' || word === 'please' || startsQuestion(words, index)) return true;
  if (word === 'that' || word === "that's") return false;
  if (OBJECTS.has(word)) return AUXILIARIES.has(after);
  return (
    SUBJECT_WORDS.has(word) || (startsClause(words, index) && !PRONOUNS.has(third) && !PRONOUNS.has(fourth))
  );
}
