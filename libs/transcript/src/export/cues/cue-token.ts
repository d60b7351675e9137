import type { TranscriptSegment, TranscriptWord } from '../../transcript-document.js';
import { cleanText } from '../../text/clean-text.js';
import { isUnspacedScript, needsSpaceBetween } from '../../text/join-words.js';

/** The smallest part of a cue: a line or a cue may end after it, never inside it. */
export interface CueToken {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Columns: characters, wide ones twice. */
  width: number;
  /** Whether a space parts it from the piece before on the same line. */
  hasSpaceBefore: boolean;
  /** True for the first piece of a segment. */
  startsSegment: boolean;
}

type TimedText = Pick<CueToken, 'text' | 'start' | 'end'>;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
/** Marks above and below letters, invisible marks, and the vowels of Korean syllables that come in parts. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/gu;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const MARK = /^\p{P}/u;
const NARROW = /^[\x20-\x7e]*$/;

/** A segment's words; where it has none, its text with the time shared out by characters. */
export function toCueTokens(segment: TranscriptSegment): CueToken[] {
  const pieces: CueToken[] = [];
  for (const part of segment.words ? cleanWords(segment.words) : estimateWords(segment)) {
    for (const timed of splitUnspacedScript(part)) pieces.push(toCueToken(timed, pieces.at(-1)));
  }
  return pieces;
}

function cleanWords(words: readonly TranscriptWord[]): TimedText[] {
  return words
    .map(({ word, start, end }) => ({ text: cleanText(word), start, end }))
    .filter(({ text }) => text !== '');
}

function estimateWords({ text, start, end }: TranscriptSegment): TimedText[] {
  const clean = cleanText(text);
  return clean === '' ? [] : distributeTime({ text: clean, start, end }, clean.split(' '));
}

/** A piece by itself, such as a speaker's label. */
export function toCueToken(part: TimedText, before: TimedText | undefined): CueToken {
  const spaced = before !== undefined && needsSpaceBetween(before.text, part.text);
  return {
    text: part.text,
    start: part.start,
    end: part.end,
    width: displayWidth(part.text),
    hasSpaceBefore: spaced,
    startsSegment: before === undefined,
  };
}

/** Columns a text takes: 42 Latin letters are as wide as 21 Chinese signs, and marks on letters take none. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return [...text].length + (text.match(WIDE)?.length ?? 0) - (text.match(WITHOUT_WIDTH)?.length ?? 0);
}

/** A script without spaces comes as whole sentences: its words are found so that lines can break. */
function splitUnspacedScript(part: TimedText): TimedText[] {
  if (NARROW.test(part.text) || part.text.length < 2 || ![...part.text].some(isUnspacedScript)) return [part];
  const words: string[] = [];
  for (const { segment } of SEGMENTER.segment(part.text)) {
    const last = words.at(-1);
    const parts = last !== undefined && isUnspacedScript(segment) && isUnspacedScript([...last].at(-1) ?? '');
    if (last === undefined || (parts && !MARK.test(segment))) words.push(segment);
    else words[words.length - 1] = last + segment;
  }
  return distributeTime(part, words);
}

/** The time of the whole, shared out among its parts by length. */
function distributeTime({ start, end }: TimedText, words: readonly string[]): TimedText[] {
  const perUnit = (end - start) / words.reduce((sum, word) => sum + word.length, 0);
  let from = start;
  return words.map((text) => {
    const part = { text, start: from, end: from + perUnit * text.length };
    from = part.end;
    return part;
  });
}
