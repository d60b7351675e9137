import { AUXILIARIES, DETERMINERS, PREPOSITIONS } from '../../sentences/english-words.js';
import { endsWithMark } from '../../text/sentence-end.js';
import type { Piece } from './piece.js';

const CLAUSE_END = /[,;:،，、；：—–]["'”’»)\]]*$/u;
/** Seconds of silence that mark a phrase. */
const PHRASE_PAUSE = 0.3;

/** How bad it is to part two neighbours: 0 between sentences, most after a word that wants its next. */
export function breakCost(before: Piece, after: Piece): number {
  if (after.opens || endsWithMark(before.text)) return 0;
  if (CLAUSE_END.test(before.text)) return 3;
  const word = before.text.toLowerCase();
  if (DETERMINERS.has(word) || PREPOSITIONS.has(word) || AUXILIARIES.has(word)) return 16;
  if (after.start - before.end >= PHRASE_PAUSE) return 4;
  const next = after.text.toLowerCase();
  return PREPOSITIONS.has(next) || STARTS_A_PHRASE.has(next) ? 7 : 10;
}

const STARTS_A_PHRASE = new Set([
  'and',
  'or',
  'but',
  'so',
  'because',
  'which',
  'who',
  'that',
  'when',
  'if',
  'than',
]);
