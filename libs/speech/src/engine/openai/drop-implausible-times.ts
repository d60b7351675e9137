import type { ResponseWord, TranscriptionResponse } from './transcription-response.js';

/** Far beyond any chunk. Earlier versions of LocalAI write nanoseconds. */
const MAX_SECONDS = 100_000;
/** Whisper pads its input to this, and what it invents may be anywhere in it. */
const PADDED_SECONDS = 30;

type Timed = Pick<ResponseWord, 'start' | 'end'>;

/**
 * Drops lists of words and segments whose times are no seconds of the chunk, so that only their text counts: with nanoseconds
 * or milliseconds words would be dropped as after the end of the audio, and with one moment for all of them they would have no
 * length. Also drops a segment that is listed twice.
 *
 * @param duration of the chunk, seconds
 */
export function dropImplausibleTimes(
  response: TranscriptionResponse,
  duration: number,
): TranscriptionResponse {
  const { text, words, segments } = dropRepeatedSegments(response);
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

function dropRepeatedSegments(response: TranscriptionResponse): TranscriptionResponse {
  const { segments } = response;
  const once = segments?.filter(({ text, start, end }, index) => {
    const before = segments[index - 1];
    const isRepeated = before?.text === text && before.start === start && before.end === end;
    return !isRepeated || typeof start !== 'number' || text.trim() === '';
  });
  if (!segments || !once || once.length === segments.length) return response;
  const join = (parts: typeof segments) => parts.map(({ text }) => text.trim()).join(' ');
  const isTextRepeated = removeSpaces(join(segments)) === removeSpaces(response.text);
  return { ...response, segments: once, ...(isTextRepeated && { text: join(once) }) };
}

function removeSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}
