import { findSpeechRuns, FRAMES_PER_SECOND } from './frame.js';
import { EnergyFrameClassifier } from './energy-frame-classifier.js';

/** Recognized separately; seconds from the start of the chunk. */
export interface Utterance {
  start: number;
  end: number;
}

/** A pause this long separates two utterances: usually a breath, often a speaker change. */
const MIN_PAUSE_SECONDS = 0.3;
/** Otherwise a pause of exactly this length would separate in one chunk and not in another, by the rounding of its times. */
const ROUNDING_SECONDS = 1e-6;
/** Silence around an utterance, so that the engine recognizes its first and last word. */
const PADDING_SECONDS = 0.2;

/**
 * Adds silence around utterances; empty without speech. Separate recognition adapts the engine to each speaker.
 * @param duration of the chunk, seconds
 */
export function detectPaddedUtterances(samples: Int16Array, duration: number): Utterance[] {
  return padSpans(findUnpaddedUtterances(samples), PADDING_SECONDS, duration);
}

/** Like `detectPaddedUtterances`, without padding. */
export function findUnpaddedUtterances(samples: Int16Array): Utterance[] {
  const classifier = new EnergyFrameClassifier();
  const runs = findSpeechRuns([...classifier.push(samples), ...classifier.flush()]);
  return joinAcrossShortPauses(
    runs.map(({ start, end }) => ({ start: start / FRAMES_PER_SECOND, end: end / FRAMES_PER_SECOND })),
  );
}

/** @param spans of speech, in order */
export function joinAcrossShortPauses(spans: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  for (const { start, end } of spans) {
    const previous = joined.at(-1);
    if (previous && start - previous.end < MIN_PAUSE_SECONDS - ROUNDING_SECONDS) previous.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

/** Extends spans by up to `seconds` on both sides, within the chunk and without overlap. Other properties are kept. */
export function padSpans<T extends Utterance>(spans: readonly T[], seconds: number, duration: number): T[] {
  return spans.map((span, index) => {
    const before = spans[index - 1]?.end ?? -Infinity;
    const after = spans[index + 1]?.start ?? Infinity;
    return {
      ...span,
      start: Math.max(0, span.start - seconds, (before + span.start) / 2),
      end: Math.min(duration, span.end + seconds, (after + span.end) / 2),
    };
  });
}
