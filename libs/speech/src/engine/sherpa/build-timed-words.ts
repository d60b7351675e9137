import type { RecognitionResult } from '../../sherpa/host/host-requests.js';
import type { Utterance } from '../../vad/utterances.js';
import type { RecognizedWord } from '../engine.js';
import { distributeTime } from '../estimate-word-times.js';
import { symbolsToBytes } from './byte-symbols.js';
import { decodeTokens, groupTokensIntoWords, type TokenWord } from './group-tokens-into-words.js';
import type { RecognitionWindow } from './recognition-windows.js';

export interface TokenContext {
  /** As of `Family`: tokens are written in symbols of bytes. */
  base64: boolean;
  language: string | null;
}

/** What was heard in a stretch as words on the clock of the chunk, in order and within the stretch. */
export function buildTimedWords(
  heard: RecognitionResult,
  stretch: RecognitionWindow,
  reading: TokenContext,
): RecognizedWord[] {
  const words = groupTokensIntoWords(decodeTokens(heard, reading.base64));
  const placed = words.every(({ start }) => start !== null)
    ? timesFromTokens(words, stretch)
    : buildSegments(heard, words, stretch, reading.base64).flatMap((segment) =>
        distributeTime(segment.words, segment.start, segment.end),
      );
  let reached = stretch.start;
  return placed.map(({ text, start, end, confidence }) => {
    const from = clamp(start, reached, stretch.end);
    reached = from;
    return {
      text,
      start: inMilliseconds(from),
      end: inMilliseconds(clamp(end, from, stretch.end)),
      confidence,
      language: reading.language,
    };
  });
}

interface TimedWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
}

/**
 * Where a model tells only when words begin, a word lasts to the next one. No word begins in a pause before it, or lasts
 * into one. A model may notice a word a moment after its sound is over: then it ends as it begins.
 */
function timesFromTokens(
  words: readonly TokenWord[],
  { start: offset, end: last, talk }: RecognitionWindow,
): TimedWord[] {
  return words.map((word) => {
    const told = { start: offset + (word.start ?? 0), end: word.end === null ? last : offset + word.end };
    const start = nextUtteranceStart(talk, told) ?? told.start;
    return {
      ...word,
      start,
      end: Math.max(start, Math.min(told.end, currentUtteranceEnd(talk, start) ?? last)),
    };
  });
}

/** The beginning of the talk that a word reaches into from the pause before it. */
function nextUtteranceStart(talk: readonly Utterance[], { start, end }: Utterance): number | undefined {
  const isWithin = talk.some((one) => one.start <= start && start < one.end);
  return isWithin ? undefined : talk.find((one) => start < one.start && one.start < end)?.start;
}

/** The end of the talk that goes on at a second, or of the talk before it. */
function currentUtteranceEnd(talk: readonly Utterance[], second: number): number | undefined {
  return talk.findLast(({ start }) => start <= second)?.end;
}

/** Words that are said between two seconds, nobody knows when: each gets a share by its length. */
interface Segment {
  start: number;
  end: number;
  words: TokenWord[];
}

/** The segments that the model tells, each with the words that begin in it; else all the talk of the stretch. */
function buildSegments(
  heard: RecognitionResult,
  words: TokenWord[],
  stretch: RecognitionWindow,
  base64: boolean,
): Segment[] {
  const {
    segment_timestamps: starts = [],
    segment_durations: durations = [],
    segment_texts: texts = [],
  } = heard;
  const first = stretch.talk[0]?.start ?? stretch.start;
  if (texts.length === 0) return [{ start: first, end: stretch.talk.at(-1)?.end ?? stretch.end, words }];
  let reached = 0;
  const ends = texts.map(
    (text) => (reached += countLetters(base64 ? symbolsToBytes(text).toString() : text)),
  );
  const segments = starts.map((start, index): Segment => {
    const from = stretch.start + start;
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

function inMilliseconds(seconds: number): number {
  return Math.floor(seconds * 1000 + 1e-6) / 1000;
}
