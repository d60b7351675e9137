import type { TranscriptSegment, TranscriptWord } from '../../document.js';
import { cleanText } from '../../text/clean.js';
import { isSpaceless, spaceBetween } from '../../text/join.js';

/** The smallest part of a cue: a line or a cue may end after it, never inside it. */
export interface Piece {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Columns: characters, wide ones twice. */
  width: number;
  /** Whether a space parts it from the piece before on the same line. */
  spaced: boolean;
  /** True for the first piece of a segment. */
  opens: boolean;
}

type Timed = Pick<Piece, 'text' | 'start' | 'end'>;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
/** Marks above and below letters, invisible marks, and the vowels of Korean syllables that come in parts. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/gu;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const MARK = /^\p{P}/u;
const NARROW = /^[\x20-\x7e]*$/;

/** A segment's words; where it has none, its text with the time shared out by characters. */
export function toPieces(segment: TranscriptSegment): Piece[] {
  const pieces: Piece[] = [];
  for (const part of segment.words ? wordsOf(segment.words) : wordsOfText(segment)) {
    for (const timed of splitSpaceless(part)) pieces.push(toPiece(timed, pieces.at(-1)));
  }
  return pieces;
}

function wordsOf(words: readonly TranscriptWord[]): Timed[] {
  return words
    .map(({ word, start, end }) => ({ text: cleanText(word), start, end }))
    .filter(({ text }) => text !== '');
}

function wordsOfText({ text, start, end }: TranscriptSegment): Timed[] {
  const clean = cleanText(text);
  return clean === '' ? [] : shareTime({ text: clean, start, end }, clean.split(' '));
}

/** A piece by itself, such as a speaker's label. */
export function toPiece(part: Timed, before: Timed | undefined): Piece {
  const spaced = before !== undefined && spaceBetween(before.text, part.text);
  return {
    text: part.text,
    start: part.start,
    end: part.end,
    width: columns(part.text),
    spaced,
    opens: before === undefined,
  };
}

/** Columns a text takes: 42 Latin letters are as wide as 21 Chinese signs, and marks on letters take none. */
export function columns(text: string): number {
  if (NARROW.test(text)) return text.length;
  return [...text].length + (text.match(WIDE)?.length ?? 0) - (text.match(WITHOUT_WIDTH)?.length ?? 0);
}

/** A script without spaces comes as whole sentences: its words are found so that lines can break. */
function splitSpaceless(part: Timed): Timed[] {
  if (NARROW.test(part.text) || part.text.length < 2 || ![...part.text].some(isSpaceless)) return [part];
  const words: string[] = [];
  for (const { segment } of SEGMENTER.segment(part.text)) {
    const last = words.at(-1);
    const parts = last !== undefined && isSpaceless(segment) && isSpaceless([...last].at(-1) ?? '');
    if (last === undefined || (parts && !MARK.test(segment))) words.push(segment);
    else words[words.length - 1] = last + segment;
  }
  return shareTime(part, words);
}

/** The time of the whole, shared out among its parts by length. */
function shareTime({ start, end }: Timed, words: readonly string[]): Timed[] {
  const perUnit = (end - start) / words.reduce((sum, word) => sum + word.length, 0);
  let from = start;
  return words.map((text) => {
    const part = { text, start: from, end: from + perUnit * text.length };
    from = part.end;
    return part;
  });
}
