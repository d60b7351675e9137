import type { RecognizedWord, TimedWord } from '../engine.js';
import { distributeTimeByLength, estimateWordTimes } from '../estimate-word-times.js';
import {
  isLikelyHallucination,
  type ResponseSegment,
  type ResponseWord,
  computeSegmentConfidence,
  type TranscriptionResponse,
} from './transcription-response.js';
import { restorePunctuation } from './restore-punctuation.js';

export interface ConvertedTranscription {
  words: RecognizedWord[];
  /** True when word times are interpolated within longer segments. */
  timesEstimated: boolean;
  /** Words dropped as likely hallucinations, or because they start after the end of the chunk. */
  doubtedWords: number;
}

/** Servers round the start of a word by up to this. */
const START_ROUNDING_SECONDS = 0.05;
/** Minimum share of the text's letters that a word list must cover, if its spelling differs. */
const MIN_LETTER_SHARE = 0.8;

/** @param duration of the chunk, seconds */
export function convertTranscription(
  response: TranscriptionResponse,
  duration: number,
): ConvertedTranscription {
  const listed = (response.words ?? []).filter(({ word }) => word.trim() !== '');
  const segments = response.segments ?? [];
  const text = response.text.trim() === '' ? joinWords(listed) : response.text;
  const timed =
    listed.some(isTimed) &&
    !isIncomplete(
      listed.map(({ word }) => word),
      text,
    );
  const all = timed
    ? buildTimedWords(listed, response, duration)
    : estimateFromSegments({ ...response, text }, duration);
  const hallucinated = segments.filter(isLikelyHallucination);
  const accepted = all.filter(
    ({ start }) =>
      start < duration + START_ROUNDING_SECONDS &&
      !hallucinated.some((segment) => containsMoment(segment, start)),
  );
  return {
    words: clampToChunk(accepted, duration),
    timesEstimated: !(timed && listed.every(isTimed)) && accepted.length > 0,
    doubtedWords: all.length - accepted.length,
  };
}

/** Words without times share the gap between their neighbours. */
function buildTimedWords(
  listed: readonly ResponseWord[],
  response: TranscriptionResponse,
  duration: number,
): TimedWord[] {
  const timed: TimedWord[] = [];
  let timeless: { text: string; confidence: number | null }[] = [];
  let last = 0;
  const share = (until: number): void => {
    timed.push(...distributeTimeByLength(timeless, last, Math.max(until, last)));
    timeless = [];
  };
  for (const { word, start, end, probability } of listed) {
    const recognized = { text: word.trim(), confidence: probability ?? null };
    if (typeof start !== 'number') {
      timeless.push(recognized);
      continue;
    }
    share(start);
    last = Math.max(end ?? start, start);
    timed.push({ ...recognized, start, end: last });
  }
  share(duration);
  return restorePunctuation(
    timed.map((word) => addConfidence(word, response)),
    response.text,
  ).flatMap((word) => estimateWords(word));
}

function addConfidence(word: TimedWord, { segments }: TranscriptionResponse): TimedWord {
  if (word.confidence !== null) return word;
  const segment = segments?.find((candidate) => containsMoment(candidate, word.start));
  return { ...word, confidence: segment ? computeSegmentConfidence(segment) : null };
}

function estimateFromSegments({ text, segments }: TranscriptionResponse, duration: number): TimedWord[] {
  const known = segments ?? [];
  if (
    known.length === 0 ||
    isIncomplete(
      known.map((segment) => segment.text),
      text,
    )
  )
    return estimateWords({ text, start: 0, end: duration, confidence: null });
  let last = 0;
  return known.flatMap((segment) => {
    const start = segment.start ?? last;
    last = Math.max(segment.end ?? duration, start);
    return estimateWords({
      text: segment.text,
      start,
      end: last,
      confidence: computeSegmentConfidence(segment),
    });
  });
}

function estimateWords({ text, start, end, confidence }: TimedWord): TimedWord[] {
  return estimateWordTimes(text, start, end).map((word) => ({ ...word, confidence }));
}

/**
 * Whether words or segments lack a part of the text: all of them occur in it with letters left over, or far too few
 * letters are listed. Different spelling (“20” for “twenty”) is not a gap.
 */
function isIncomplete(parts: readonly string[], text: string): boolean {
  const [listed, all] = [normalizeLetters(parts.join('')), normalizeLetters(text)];
  if (listed.length >= all.length) return false;
  if (listed.length < MIN_LETTER_SHARE * all.length) return true;
  return parts.every((part) => all.includes(normalizeLetters(part)));
}

function normalizeLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function joinWords(listed: readonly ResponseWord[]): string {
  return listed.map(({ word }) => word.trim()).join(' ');
}

function isTimed({ start }: ResponseWord): boolean {
  return typeof start === 'number';
}

function containsMoment({ start, end }: ResponseSegment, moment: number): boolean {
  return typeof start === 'number' && typeof end === 'number' && moment >= start && moment < end;
}

/** Clamps times to the chunk, and start times to ascending order. */
function clampToChunk(words: readonly TimedWord[], duration: number): RecognizedWord[] {
  let last = 0;
  return words.map(({ text, start, end, confidence }) => {
    last = Math.min(Math.max(start, last), duration);
    return {
      text,
      start: last,
      end: Math.min(Math.max(end, last), duration),
      confidence: confidence === null ? null : Math.min(Math.max(confidence, 0), 1),
      language: null,
    };
  });
}
