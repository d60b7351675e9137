import type { HeardWord } from '../engine.js';
import { shareTime, spreadWords } from '../spread-words.js';
import type { ToldSegment, ToldWord, Transcription } from './answer.js';
import { confidenceOf, isDoubted } from './doubt.js';
import { markWords, type TimedText } from './mark-words.js';

export interface Heard {
  words: HeardWord[];
  /** True when times of words had to be estimated from those of a longer stretch. */
  timesEstimated: boolean;
  /** Words left out, as the server's own figures or the length of the chunk speak against them. */
  doubtedWords: number;
}

/** Seconds by which servers round the start of a word. */
const ROUNDING = 0.05;
/** Of words that are spelled otherwise than in the text, the least share of its letters. */
const LEAST_TOLD = 0.8;

/** What the server told, as words within the chunk. @param duration seconds of the chunk */
export function heardWords(told: Transcription, duration: number): Heard {
  const listed = (told.words ?? []).filter(({ word }) => word.trim() !== '');
  const segments = told.segments ?? [];
  const text = told.text.trim() === '' ? textOf(listed) : told.text;
  const timed =
    listed.some(isTimed) &&
    !misses(
      listed.map(({ word }) => word),
      text,
    );
  const all = timed ? timedWords(listed, told, duration) : spreadSegments({ ...told, text }, duration);
  const doubted = segments.filter(isDoubted);
  const kept = all.filter(
    ({ start }) => start < duration + ROUNDING && !doubted.some((segment) => holds(segment, start)),
  );
  return {
    words: inOrder(kept, duration),
    timesEstimated: !(timed && listed.every(isTimed)) && kept.length > 0,
    doubtedWords: all.length - kept.length,
  };
}

/** Words without a time share the one between their neighbours. */
function timedWords(listed: readonly ToldWord[], told: Transcription, duration: number): TimedText[] {
  const timed: TimedText[] = [];
  let timeless: { text: string; confidence: number | null }[] = [];
  let last = 0;
  const share = (until: number): void => {
    timed.push(...shareTime(timeless, last, Math.max(until, last)));
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
  return markWords(
    timed.map((word) => withConfidence(word, told)),
    told.text,
  ).flatMap((word) => spread(word));
}

function withConfidence(word: TimedText, { segments }: Transcription): TimedText {
  if (word.confidence !== null) return word;
  const segment = segments?.find((candidate) => holds(candidate, word.start));
  return { ...word, confidence: segment ? confidenceOf(segment) : null };
}

/** Where only longer stretches have times, or none has. */
function spreadSegments({ text, segments }: Transcription, duration: number): TimedText[] {
  const told = segments ?? [];
  if (
    told.length === 0 ||
    misses(
      told.map((segment) => segment.text),
      text,
    )
  )
    return spread({ text, start: 0, end: duration, confidence: null });
  let last = 0;
  return told.flatMap((segment) => {
    const start = segment.start ?? last;
    last = Math.max(segment.end ?? duration, start);
    return spread({ text: segment.text, start, end: last, confidence: confidenceOf(segment) });
  });
}

function spread({ text, start, end, confidence }: TimedText): TimedText[] {
  return spreadWords(text, start, end).map((word) => ({ ...word, confidence }));
}

/**
 * True when the text says more than these parts of it: all of them stand in it and letters are left, or far too few letters
 * are told. Servers spell listed words otherwise (“20” for “twenty”), which is not less.
 */
function misses(parts: readonly string[], text: string): boolean {
  const [told, all] = [lettersOf(parts.join('')), lettersOf(text)];
  if (told.length >= all.length) return false;
  return told.length < LEAST_TOLD * all.length || parts.every((part) => all.includes(lettersOf(part)));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function textOf(listed: readonly ToldWord[]): string {
  return listed.map(({ word }) => word.trim()).join(' ');
}

function isTimed({ start }: ToldWord): boolean {
  return typeof start === 'number';
}

function holds({ start, end }: ToldSegment, moment: number): boolean {
  return typeof start === 'number' && typeof end === 'number' && moment >= start && moment < end;
}

/** Inside the chunk, none beginning before the one ahead of it. */
function inOrder(words: readonly TimedText[], duration: number): HeardWord[] {
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
