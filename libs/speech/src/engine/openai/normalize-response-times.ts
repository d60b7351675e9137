import { removeSpaces } from '../split-into-words.js';
import type { ResponseSegment, ResponseWord, TranscriptionResponse } from './transcription-response.js';

/** Whisper pads its input to this, and what it invents may be anywhere in it. */
const PADDED_SECONDS = 30;
/** Fewer starts beyond the padding are single errors, whose words are dropped as after the end. */
const MIN_SHARE_BEYOND = 0.25;

type Timed = Pick<ResponseWord, 'start' | 'end'>;

/**
 * Removes times that are no seconds of the chunk, so that the words are placed in the detected speech by their text: milliseconds
 * and nanoseconds are after the end of the audio, and with one moment for all of them words have no length. Also drops a segment
 * that is listed twice in a row.
 *
 * @param duration of the chunk, seconds
 */
export function normalizeResponseTimes(
  response: TranscriptionResponse,
  duration: number,
): TranscriptionResponse {
  const words = isPlausible(response.words ?? [], duration) ? response.words : null;
  const { segments } = response;
  if (!segments) return { ...response, words };
  const hasNestedTimes = isPlausible(
    segments.flatMap((segment) => segment.words ?? []),
    duration,
  );
  const kept = hasNestedTimes ? segments : segments.map((segment) => ({ ...segment, words: null }));
  return isPlausible(segments, duration) && !isOneMoment(segments)
    ? dropRepeatedSegments({ ...response, words, segments: kept })
    : { ...response, words, segments: removeTimes(kept, duration) };
}

function isPlausible(items: readonly Timed[], duration: number): boolean {
  const starts = items.map(({ start }) => start).filter((start) => typeof start === 'number');
  const beyond = starts.filter((start) => start > duration + PADDED_SECONDS).length;
  if (beyond > 0 && beyond >= MIN_SHARE_BEYOND * starts.length) return false;
  // One word that is rounded to a moment has a place at least, but not at the very start.
  return !isOneMoment(items) || (items.length === 1 && starts[0] !== 0);
}

/** Whether all times are the same moment; false if there are no times. */
function isOneMoment(items: readonly Timed[]): boolean {
  const times = items.flatMap(({ start, end }) => [start, end]).filter((time) => typeof time === 'number');
  return times.length > 0 && times.every((time) => time === times[0]);
}

/** A single segment gets the whole chunk, so that its figures still tell whether it was invented. */
function removeTimes(segments: readonly ResponseSegment[], duration: number): ResponseSegment[] {
  const times = segments.length === 1 ? { start: 0, end: duration } : { start: null, end: null };
  return segments.map((segment) => ({ ...segment, ...times }));
}

/** Segments beside a list of words are kept, because the list would keep the repeated words. */
function dropRepeatedSegments(response: TranscriptionResponse): TranscriptionResponse {
  const { words, segments } = response;
  if (!segments || words?.length) return response;
  const once = segments.filter((segment, index) => !isRepetition(segment, segments[index - 1]));
  if (once.length === segments.length) return response;
  const isTextRepeated = removeSpaces(joinTexts(segments)) === removeSpaces(response.text);
  return { ...response, segments: once, ...(isTextRepeated && { text: joinTexts(once) }) };
}

function isRepetition({ text, start, end }: ResponseSegment, before: ResponseSegment | undefined): boolean {
  const hasLength = typeof start === 'number' && typeof end === 'number' && end > start;
  return hasLength && before?.text === text && before.start === start && before.end === end;
}

function joinTexts(segments: readonly ResponseSegment[]): string {
  return segments.map(({ text }) => text.trim()).join(' ');
}
