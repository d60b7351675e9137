import type { ResponseWord, TranscriptionResponse } from './transcription-response.js';

/** Far beyond any chunk. Earlier versions of LocalAI write nanoseconds. */
const MAX_SECONDS = 100_000;
/** Whisper pads its input to this, and what it invents may be anywhere in it. */
const PADDED_SECONDS = 30;
/** Overlaps of a second are usual between segments; what starts earlier than that is listed in another order than it was said. */
const MAX_OVERLAP_SECONDS = 1;

type Timed = Pick<ResponseWord, 'start' | 'end'>;

/**
 * Drops lists of words and segments whose times are no seconds of the chunk, so that only their text counts: with nanoseconds
 * or milliseconds words would be dropped as after the end of the audio, and with one moment for all of them they would have no
 * length. Also drops a segment that is listed twice, and orders by time what is listed in another order, as by speaker.
 *
 * @param duration of the chunk, seconds
 */
export function normalizeResponseTimes(
  response: TranscriptionResponse,
  duration: number,
): TranscriptionResponse {
  const { text, words, segments } = orderByTime(dropRepeatedSegments(response));
  const nested = segments?.flatMap((segment) => segment.words ?? []);
  const hasUsableSegments = !segments || isPlausible(segments, duration);
  return {
    ...response,
    text,
    words: words && isPlausible(words, duration) ? words : null,
    segments: !hasUsableSegments
      ? null
      : nested && isPlausible(nested, duration)
        ? segments
        : (segments?.map((segment) => ({ ...segment, words: null })) ?? null),
  };
}

function isPlausible(items: readonly Timed[], duration: number): boolean {
  const times = items.flatMap(({ start, end }) => [start, end]).filter((time) => typeof time === 'number');
  if (times.length === 0) return true;
  const latest = Math.max(...times);
  if (latest > MAX_SECONDS) return false;
  // One word that is rounded to a moment has a place at least, but not at the very start.
  if (latest === Math.min(...times)) return items.length === 1 && latest > 0;
  const starts = items.map(({ start }) => start).filter((start) => typeof start === 'number');
  const after = starts.filter((start) => start > Math.max(duration, PADDED_SECONDS));
  return after.length * 2 <= starts.length;
}

function orderByTime(response: TranscriptionResponse): TranscriptionResponse {
  const segments = response.segments && sortByStart(response.segments);
  const words = response.words && sortByStart(response.words);
  const hasMovedSegments = segments !== response.segments;
  const isTextMoved =
    hasMovedSegments && removeSpaces(joinTexts(response.segments ?? [])) === removeSpaces(response.text);
  return { ...response, words, segments, ...(isTextMoved && { text: joinTexts(segments ?? []) }) };
}

/** @returns the list itself if it is in order, or if an item has no start */
function sortByStart<T extends Timed>(items: T[]): T[] {
  let latest = -Infinity;
  let isOrdered = true;
  for (const { start } of items) {
    if (typeof start !== 'number') return items;
    if (start < latest - MAX_OVERLAP_SECONDS) isOrdered = false;
    latest = Math.max(latest, start);
  }
  return isOrdered ? items : items.toSorted((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

function joinTexts(segments: readonly { text: string }[]): string {
  return segments.map(({ text }) => text.trim()).join(' ');
}

function dropRepeatedSegments(response: TranscriptionResponse): TranscriptionResponse {
  const { segments } = response;
  const once = segments?.filter(({ text, start, end }, index) => {
    const before = segments[index - 1];
    const isRepeated = before?.text === text && before.start === start && before.end === end;
    return !isRepeated || typeof start !== 'number' || text.trim() === '';
  });
  if (!segments || !once || once.length === segments.length) return response;
  const isTextRepeated = removeSpaces(joinTexts(segments)) === removeSpaces(response.text);
  return { ...response, segments: once, ...(isTextRepeated && { text: joinTexts(once) }) };
}

function removeSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}
