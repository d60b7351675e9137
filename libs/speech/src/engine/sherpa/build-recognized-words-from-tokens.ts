import type { RecognitionResult } from '../../sherpa/host/host-requests.js';
import type { Utterance } from '../../vad/utterances.js';
import type { RecognizedWord, RecognizedWordWithoutLanguage } from '../engine.js';
import { estimateWordTimesByLength, floorToThreeDecimals } from '../estimate-word-times.js';
import { decodeSymbolsToBytes } from './byte-symbols.js';
import {
  extractTokenBytesAndTimes,
  groupTokensIntoWords,
  type TokenWord,
} from './group-tokens-into-words.js';
import type { RecognitionWindow } from './recognition-windows.js';

export interface TokenDecodingOptions {
  /** Tokens are written in the symbols of `byte-symbols.ts`. */
  hasByteSymbols: boolean;
  language: string | null;
}

/** Times are in seconds from the start of the chunk, in order and within the window. */
export function buildRecognizedWordsFromTokens(
  result: RecognitionResult,
  window: RecognitionWindow,
  context: TokenDecodingOptions,
): RecognizedWord[] {
  const words = groupTokensIntoWords(extractTokenBytesAndTimes(result, context.hasByteSymbols));
  const timed = words.every(({ start }) => start !== null)
    ? timesFromTokens(words, window)
    : buildSegments(result, words, window, context.hasByteSymbols).flatMap(({ words: spoken, ...within }) =>
        estimateWordTimesByLength(spoken, within, window.utterances),
      );
  let reached = window.start;
  return timed.map((word: RecognizedWordWithoutLanguage) => {
    const from = clamp(word.start, reached, window.end);
    reached = from;
    return {
      ...word,
      start: floorToThreeDecimals(from),
      end: floorToThreeDecimals(clamp(word.end, from, window.end)),
      language: context.language,
    };
  });
}

/**
 * Word times from token times. A word without an end lasts until the next one. Words do not start or end in a pause; a
 * word that the model reports only after its sound is over gets zero length.
 */
function timesFromTokens(
  words: readonly TokenWord[],
  { start: offset, end: last, utterances }: RecognitionWindow,
): RecognizedWordWithoutLanguage[] {
  return words.map((word) => {
    const reported = { start: offset + (word.start ?? 0), end: word.end === null ? last : offset + word.end };
    const start = nextUtteranceStart(utterances, reported) ?? reported.start;
    return {
      ...word,
      start,
      end: Math.max(start, Math.min(reported.end, currentUtteranceEnd(utterances, start) ?? last)),
    };
  });
}

/** Undefined unless a word starts in the pause before the utterance. */
function nextUtteranceStart(utterances: readonly Utterance[], { start, end }: Utterance): number | undefined {
  const isWithin = utterances.some((one) => one.start <= start && start < one.end);
  return isWithin ? undefined : utterances.find((one) => start < one.start && one.start < end)?.start;
}

function currentUtteranceEnd(utterances: readonly Utterance[], second: number): number | undefined {
  return utterances.findLast(({ start }) => start <= second)?.end;
}

/** Words without times share those of the segment by length. */
interface Segment {
  start: number;
  end: number;
  words: TokenWord[];
}

/** If the model gives no segments, or some have no times, one segment is the whole window. */
function buildSegments(
  result: RecognitionResult,
  words: TokenWord[],
  window: RecognitionWindow,
  base64: boolean,
): Segment[] {
  const {
    segment_timestamps: starts = [],
    segment_durations: durations = [],
    segment_texts: texts = [],
  } = result;
  const first = window.utterances[0]?.start ?? window.start;
  if (texts.length === 0 || starts.length < texts.length)
    return [{ start: first, end: window.utterances.at(-1)?.end ?? window.end, words }];
  let reached = 0;
  const ends = texts.map(
    (text) => (reached += countLetters(base64 ? decodeSymbolsToBytes(text).toString() : text)),
  );
  const segments = starts.map((start, index): Segment => {
    const from = window.start + start;
    return { start: from, end: from + (durations[index] ?? 0), words: [] };
  });
  let before = 0;
  for (const word of words) {
    const index = ends.findIndex((end) => before < end);
    segments.at(index)?.words.push(word);
    before += countLetters(word.text);
  }
  return segments;
}

function countLetters(text: string): number {
  return text.replaceAll(/[\s\ufffd]/g, '').length;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
