import type { HeardWord } from '../engine.js';
import { spreadWords } from '../spread-words.js';
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

/** What the server told, as words within the chunk. @param duration seconds of the chunk */
export function heardWords(told: Transcription, duration: number): Heard {
  const listed = (told.words ?? []).filter(({ word }) => word.trim() !== '');
  const segments = told.segments ?? [];
  const all = listed.length > 0 ? timedWords(listed, told) : spreadSegments(told, duration);
  const doubted = segments.filter(isDoubted);
  const kept = all.filter(
    ({ start }) => start < duration && !doubted.some((segment) => holds(segment, start)),
  );
  return {
    words: inOrder(kept, duration),
    timesEstimated: listed.length === 0 && kept.length > 0,
    doubtedWords: all.length - kept.length,
  };
}

/** A word without a time follows the one before. */
function timedWords(listed: readonly ToldWord[], told: Transcription): TimedText[] {
  let last = 0;
  const timed = listed.map(({ word, start, end, probability }) => {
    const from = start ?? last;
    last = Math.max(end ?? from, from);
    const segment = told.segments?.find((candidate) => holds(candidate, from));
    const confidence = probability ?? (segment ? confidenceOf(segment) : null);
    return { text: word.trim(), start: from, end: last, confidence };
  });
  return markWords(timed, told.text).flatMap((word) => spread(word));
}

/** Where only longer stretches have times, or none has. */
function spreadSegments({ text, segments }: Transcription, duration: number): TimedText[] {
  if (!segments || segments.length === 0) return spread({ text, start: 0, end: duration, confidence: null });
  let last = 0;
  return segments.flatMap((segment) => {
    const start = segment.start ?? last;
    last = Math.max(segment.end ?? duration, start);
    return spread({ text: segment.text, start, end: last, confidence: confidenceOf(segment) });
  });
}

function spread({ text, start, end, confidence }: TimedText): TimedText[] {
  return spreadWords(text, start, end).map((word) => ({ ...word, confidence }));
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
