import type { TranscriptSegment, TranscriptWord } from '../../transcript-document.js';
import { sanitizeToSingleLine } from '../../text/sanitize-to-single-line.js';
import { addSpacesOfText } from '../../text/add-spaces-of-text.js';
import {
  isUnspacedScriptCharacter,
  isWithinUnspacedText,
  type JoinableWord,
  needsSpaceBetween,
} from '../../text/join-words.js';

/** Lines and cues break between tokens only. */
export interface CueToken {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Columns: characters, wide ones twice. */
  width: number;
  /** Whether a space separates it from the token before, if both are on one line. */
  hasSpaceBefore: boolean;
  startsSegment: boolean;
  /** Names the speaker; has no duration. */
  isLabel?: true;
}

type TimedText = Pick<CueToken, 'start' | 'end'> & JoinableWord;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
/** Combining marks, invisible marks, and the vowels of decomposed Korean syllables. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/gu;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const MARK = /^\p{P}/u;
const OPENING_MARK = /^[\p{Ps}\p{Pi}]+$/u;
const NARROW = /^[\x20-\x7e]*$/;

/** A segment without words gets those of its text, with estimated times. Words that contain spaces are divided at them. */
export function toCueTokens(segment: TranscriptSegment): CueToken[] {
  const tokens: CueToken[] = [];
  for (const part of segment.words ? cleanWords(segment.words, segment.text) : estimateWords(segment)) {
    for (const timed of splitUnspacedScript(part)) tokens.push(toCueToken(timed, tokens.at(-1)));
  }
  return tokens;
}

function cleanWords(words: readonly TranscriptWord[], segmentText: string): TimedText[] {
  const clean = words
    .map(({ word, start, end }) => ({ text: sanitizeToSingleLine(word), start, end }))
    .filter(({ text }) => text !== '')
    .flatMap((word) => (word.text.includes(' ') ? distributeTime(word, word.text.split(' ')) : [word]));
  return addSpacesOfText(clean, sanitizeToSingleLine(segmentText));
}

function estimateWords({ text, start, end }: TranscriptSegment): TimedText[] {
  const clean = sanitizeToSingleLine(text);
  if (clean === '') return [];
  const words = distributeTime({ text: clean, start, end }, clean.split(' '));
  return words.map((word) => ({ ...word, spaceBefore: true }));
}

export function toCueToken(part: TimedText, before: TimedText | undefined): CueToken {
  const spaced = before !== undefined && needsSpaceBetween(before.text, part);
  return {
    text: part.text,
    start: part.start,
    end: part.end,
    width: computeDisplayWidth(part.text),
    hasSpaceBefore: spaced,
    startsSegment: before === undefined,
  };
}

/** 42 Latin letters are as wide as 21 Chinese characters; combining marks have no width. */
export function computeDisplayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return [...text].length + (text.match(WIDE)?.length ?? 0) - (text.match(WITHOUT_WIDTH)?.length ?? 0);
}

/** Lines can break between the words: not after a mark that opens, nor before any other. */
function splitUnspacedScript(part: TimedText): TimedText[] {
  if (NARROW.test(part.text) || part.text.length < 2 || ![...part.text].some(isUnspacedScriptCharacter))
    return [part];
  const words: string[] = [];
  let opening = '';
  for (const { segment } of SEGMENTER.segment(part.text)) {
    if (OPENING_MARK.test(segment)) {
      opening += segment;
      continue;
    }
    const word = opening + segment;
    opening = '';
    const last = words.at(-1);
    if (last === undefined || (!MARK.test(segment) && isWithinUnspacedText(last, word))) words.push(word);
    else words[words.length - 1] = last + word;
  }
  const { spaceBefore } = part;
  return distributeTime(part, [...words.slice(0, -1), (words.at(-1) ?? '') + opening]).map((word, index) =>
    index === 0 ? { ...word, spaceBefore } : word,
  );
}

/** Each word gets a share of the time in proportion to its length. */
function distributeTime({ start, end }: TimedText, words: readonly string[]): TimedText[] {
  const perUnit = (end - start) / words.reduce((sum, word) => sum + word.length, 0);
  let from = start;
  return words.map((text) => {
    const part = { text, start: from, end: from + perUnit * text.length };
    from = part.end;
    return part;
  });
}
