import type { TimeSpan } from './engine.js';
import { splitIntoWords } from './split-into-words.js';

/** Nobody speaks faster than this: with less detected speech, the text does not belong to it alone. */
const MIN_SECONDS_PER_LETTER = 0.02;

export type EstimatedWord<W> = W & TimeSpan & { estimatedWithin: TimeSpan };

/**
 * Distributes the speech within a span between the words by length, so that no word is estimated to be in a pause or to
 * last over one.
 * @param speech in order, not overlapping; the whole span is used if too little of it is speech
 */
export function estimateWordTimesByLength<W extends { text: string }>(
  words: readonly W[],
  within: TimeSpan,
  speech: readonly TimeSpan[],
): EstimatedWord<W>[] {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const spans = findSpeechFor(letters, within, speech);
  const seconds = sumSeconds(spans);
  let before = 0;
  return words.map((word) => {
    const from = (seconds * before) / letters;
    before += word.text.length;
    const to = (seconds * before) / letters;
    return { ...word, ...placeInSpans(from, to, spans), estimatedWithin: within };
  });
}

function findSpeechFor(letters: number, within: TimeSpan, speech: readonly TimeSpan[]): readonly TimeSpan[] {
  const inside = speech
    .map(({ start, end }) => ({ start: Math.max(start, within.start), end: Math.min(end, within.end) }))
    .filter(({ start, end }) => end > start);
  return sumSeconds(inside) > letters * MIN_SECONDS_PER_LETTER ? inside : [within];
}

function sumSeconds(spans: readonly TimeSpan[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/**
 * The span that contains the middle of the word contains the whole word.
 * @param from seconds of speech before the word @param to seconds of speech up to its end
 */
function placeInSpans(from: number, to: number, spans: readonly TimeSpan[]): TimeSpan {
  let before = 0;
  for (const [index, { start, end }] of spans.entries()) {
    const seconds = end - start;
    if ((from + to) / 2 <= before + seconds || index === spans.length - 1)
      return {
        start: start + Math.max(0, from - before),
        end: Math.min(end, start + to - before),
      };
    before += seconds;
  }
  return { start: from, end: to };
}

/** Divides the time of a measured word between its parts by length. */
export function splitTimedWord<W extends { text: string } & TimeSpan>(word: W): W[] {
  const parts = splitIntoWords(word.text);
  const letters = parts.reduce((sum, text) => sum + text.length, 0);
  const at = (before: number) => word.start + ((word.end - word.start) * before) / letters;
  let reached = 0;
  return parts.map((text) => {
    const start = at(reached);
    reached += text.length;
    return { ...word, text, start, end: at(reached) };
  });
}

/** Tolerates rounding errors: 0.29 stays 0.29. @param seconds not negative */
export function floorToThreeDecimals(seconds: number): number {
  return Math.floor(seconds * 1000 + 1e-6) / 1000;
}
