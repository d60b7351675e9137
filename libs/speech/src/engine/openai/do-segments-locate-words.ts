import type { TimeSpan } from '../engine.js';
import type { ResponseSegment } from './transcription-response.js';

/** Nearer to the start or the end of the chunk, a time only says that the words are in the chunk. */
const EDGE_SECONDS = 0.5;
/** Pieces of a packed chunk are further apart. */
const MIN_PAUSE_SECONDS = 0.3;

/**
 * Whether segments say where in the chunk their words are. Undefined for one that is as long as a chunk of a single utterance, as those of
 * Whisper are, too.
 */
export function doSegmentsLocateWords(
  segments: readonly ResponseSegment[],
  duration: number,
  speech: readonly TimeSpan[],
): boolean | undefined {
  const times = segments.flatMap(({ start, end }) => [start, end]).filter((time) => typeof time === 'number');
  if (times.some((time) => time > EDGE_SECONDS && time < duration - EDGE_SECONDS)) return true;
  const isAsLong = times.some((time) => Math.abs(time - duration) <= EDGE_SECONDS);
  return isAsLong && isOneUtterance(speech) ? undefined : false;
}

function isOneUtterance(speech: readonly TimeSpan[]): boolean {
  return (
    speech.length > 0 &&
    speech.every(({ start }, index) => start - (speech[index - 1]?.end ?? start) < MIN_PAUSE_SECONDS)
  );
}
