import type { RecognizedWord } from '../engine.js';
import { distributeTime, estimateWordTimes } from '../estimate-word-times.js';
import {
  isLikelyHallucination,
  type ResponseSegment,
  type ResponseWord,
  segmentConfidence,
  type TranscriptionResponse,
} from './transcription-response.js';
import { restorePunctuation, type TimedWord } from './restore-punctuation.js';

export interface RecognizedWords {
  words: RecognizedWord[];
  /** True when times of words had to be estimated from those of a longer stretch. */
  timesEstimated: boolean;
  /** Words left out, as the server's own figures or the length of the chunk speak against them. */
  doubtedWords: number;
}

/** Seconds by which servers round the start of a word. */
const START_ROUNDING_SECONDS = 0.05;
/** Of words that are spelled otherwise than in the text, the least share of its letters. */
const MIN_LETTER_SHARE = 0.8;

/** What the server told, as words within the chunk. @param duration seconds of the chunk */
export function toRecognizedWords(response: TranscriptionResponse, duration: number): RecognizedWords {
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
  const doubted = segments.filter(isLikelyHallucination);
  const kept = all.filter(
    ({ start }) =>
      start < duration + START_ROUNDING_SECONDS && !doubted.some((segment) => containsMoment(segment, start)),
  );
  return {
    words: clampToChunk(kept, duration),
    timesEstimated: !(timed && listed.every(isTimed)) && kept.length > 0,
    doubtedWords: all.length - kept.length,
  };
}

/** Words without a time share the one between their neighbours. */
function buildTimedWords(
  listed: readonly ResponseWord[],
  told: TranscriptionResponse,
  duration: number,
): TimedWord[] {
  const timed: TimedWord[] = [];
  let timeless: { text: string; confidence: number | null }[] = [];
  let last = 0;
  const share = (until: number): void => {
    timed.push(...distributeTime(timeless, last, Math.max(until, last)));
    timeless = [];
  };
  for (const { word, start, end, probability } of listed) {
    const heard = { text: word.trim(), confidence: probability ?? null };
    if (typeof start !== 'number') {
      timeless.push(heard);
      continue;
    }
    share(start);
    last = Math.max(end ?? start, start);
    timed.push({ ...heard, start, end: last });
  }
  share(duration);
  return restorePunctuation(
    timed.map((word) => addConfidence(word, told)),
    told.text,
  ).flatMap((word) => estimateWords(word));
}

function addConfidence(word: TimedWord, { segments }: TranscriptionResponse): TimedWord {
  if (word.confidence !== null) return word;
  const segment = segments?.find((candidate) => containsMoment(candidate, word.start));
  return { ...word, confidence: segment ? segmentConfidence(segment) : null };
}

/** Where only longer stretches have times, or none has. */
function estimateFromSegments({ text, segments }: TranscriptionResponse, duration: number): TimedWord[] {
  const told = segments ?? [];
  if (
    told.length === 0 ||
    isIncomplete(
      told.map((segment) => segment.text),
      text,
    )
  )
    return estimateWords({ text, start: 0, end: duration, confidence: null });
  let last = 0;
  return told.flatMap((segment) => {
    const start = segment.start ?? last;
    last = Math.max(segment.end ?? duration, start);
    return estimateWords({ text: segment.text, start, end: last, confidence: segmentConfidence(segment) });
  });
}

function estimateWords({ text, start, end, confidence }: TimedWord): TimedWord[] {
  return estimateWordTimes(text, start, end).map((word) => ({ ...word, confidence }));
}

/**
 * True when the text says more than these parts of it: all of them stand in it and letters are left, or far too few letters
 * are told. Servers spell listed words otherwise (“20” for “twenty”), which is not less.
 */
function isIncomplete(parts: readonly string[], text: string): boolean {
  const [told, all] = [normalizeLetters(parts.join('')), normalizeLetters(text)];
  if (told.length >= all.length) return false;
  return (
    told.length < MIN_LETTER_SHARE * all.length || parts.every((part) => all.includes(normalizeLetters(part)))
  );
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

/** Inside the chunk, none beginning before the one ahead of it. */
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
