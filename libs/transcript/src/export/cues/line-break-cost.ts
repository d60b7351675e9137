import { AUXILIARIES, DETERMINERS, PREPOSITIONS } from '../../sentences/english-words.js';
import { CLAUSE_MARKS, CLOSING_MARKS, endsWithSentenceMark } from '../../text/ends-with-sentence-mark.js';
import type { CueToken } from './cue-token.js';

const CLAUSE_END = new RegExp(`[${CLAUSE_MARKS}—–][${CLOSING_MARKS}']*$`, 'u');
const PHRASE_PAUSE_SECONDS = 0.3;

/** 0 between sentences, highest after an article, a preposition or an auxiliary. */
export function computeLineBreakCost(before: CueToken, after: CueToken): number {
  if (after.startsSegment || endsWithSentenceMark(before.text)) return 0;
  if (CLAUSE_END.test(before.text)) return 3;
  const word = before.text.toLowerCase();
  if (DETERMINERS.has(word) || PREPOSITIONS.has(word) || AUXILIARIES.has(word)) return 16;
  if (after.start - before.end >= PHRASE_PAUSE_SECONDS) return 4;
  const next = after.text.toLowerCase();
  return PREPOSITIONS.has(next) || PHRASE_STARTERS.has(next) ? 7 : 10;
}

const PHRASE_STARTERS = new Set([
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
