import { FRAMES_PER_SECOND, type Frame } from './frame.js';
import { EnergyFrameClassifier } from './energy-frame-classifier.js';

/** A part of a chunk that is recognized separately; seconds from the start of the chunk. */
export interface Utterance {
  start: number;
  end: number;
}

/** A pause this long separates two utterances: usually a breath, often a speaker change. */
const MIN_PAUSE_SECONDS = 0.3;
/** Silence around an utterance, so that the engine recognizes its first and last word. */
const PADDING_SECONDS = 0.2;

/**
 * The utterances of a chunk, padded with silence; empty without speech. Separate recognition adapts the engine to each
 * speaker.
 * @param duration of the chunk, seconds
 */
export function findUtterances(samples: Int16Array, duration: number): Utterance[] {
  return addPadding(findUnpaddedUtterances(samples), duration);
}

/** Like `findUtterances`, without padding. */
export function findUnpaddedUtterances(samples: Int16Array): Utterance[] {
  const classifier = new EnergyFrameClassifier();
  const joined: Utterance[] = [];
  for (const run of findSpeechRuns([...classifier.push(samples), ...classifier.flush()])) {
    const previous = joined.at(-1);
    if (previous && run.start - previous.end < MIN_PAUSE_SECONDS) previous.end = run.end;
    else joined.push(run);
  }
  return joined;
}

function addPadding(joined: readonly Utterance[], duration: number): Utterance[] {
  return joined.map((utterance, index) => {
    const before = joined[index - 1]?.end ?? -Infinity;
    const after = joined[index + 1]?.start ?? Infinity;
    return {
      start: Math.max(0, utterance.start - PADDING_SECONDS, (before + utterance.start) / 2),
      end: Math.min(duration, utterance.end + PADDING_SECONDS, (after + utterance.end) / 2),
    };
  });
}

function findSpeechRuns(frames: readonly Frame[]): Utterance[] {
  const runs: Utterance[] = [];
  let start: number | null = null;
  frames.forEach((frame, index) => {
    if (frame.speech) start ??= index;
    if (start !== null && (!frame.speech || index === frames.length - 1)) {
      runs.push({
        start: start / FRAMES_PER_SECOND,
        end: (frame.speech ? index + 1 : index) / FRAMES_PER_SECOND,
      });
      start = null;
    }
  });
  return runs;
}
