import { FRAMES_PER_SECOND, type Frame } from './frame.js';
import { EnergyFrameClassifier } from './energy-frame-classifier.js';

/** A stretch of a chunk that is decoded by itself; seconds from the start of the chunk. */
export interface Utterance {
  start: number;
  end: number;
}

/** A pause this long parts two utterances: usually a breath, often another speaker. */
const MIN_PAUSE_SECONDS = 0.3;
/** Silence kept around an utterance, so that the engine hears it begin and end. */
const PADDING_SECONDS = 0.2;

/**
 * The stretches of speech in a chunk. Decoding them one by one adapts the engine to each speaker in turn.
 * Empty when there is no speech.
 */
export function findUtterances(samples: Int16Array, duration: number): Utterance[] {
  return addPadding(findUnpaddedUtterances(samples), duration);
}

/** As `findUtterances`, each from where speech begins to where it ends, without silence around it. */
export function findUnpaddedUtterances(samples: Int16Array): Utterance[] {
  const activity = new EnergyFrameClassifier();
  const joined: Utterance[] = [];
  for (const run of findSpeechRuns([...activity.push(samples), ...activity.flush()])) {
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
