import { findUnpaddedUtterances, padSpans, type Utterance } from '../../vad/utterances.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';

/** A part of a chunk that is recognized at once; seconds from the start of the chunk. */
export interface RecognitionWindow {
  start: number;
  end: number;
  utterances: Utterance[];
}

/** Silence around a window, so that the model recognizes its first and last word. */
const PADDING_SECONDS = 0.2;
/** Long utterances are split at the quietest moment of the last third. */
const SPLIT_SEARCH_START = 2 / 3;
const ENERGY_WINDOW_SECONDS = 0.02;

/** As few windows of at most `maxSeconds` as possible. Empty without speech. */
export function splitIntoWindows(samples: Int16Array, maxSeconds: number): RecognitionWindow[] {
  const maxLength = maxSeconds - 2 * PADDING_SECONDS;
  const joined: RecognitionWindow[] = [];
  for (const piece of findUnpaddedUtterances(samples).flatMap((utterance) =>
    splitUtterance(samples, utterance, maxLength),
  )) {
    const last = joined.at(-1);
    if (last && piece.end - last.start <= maxLength) {
      last.end = piece.end;
      last.utterances.push(piece);
    } else joined.push({ ...piece, utterances: [piece] });
  }
  return padSpans(joined, PADDING_SECONDS, samples.length / SAMPLE_RATE);
}

function splitUtterance(samples: Int16Array, utterance: Utterance, maxLength: number): Utterance[] {
  const parts: Utterance[] = [];
  let { start } = utterance;
  while (utterance.end - start > maxLength) {
    const end = findQuietestMoment(samples, start + maxLength * SPLIT_SEARCH_START, start + maxLength);
    parts.push({ start, end });
    start = end;
  }
  return [...parts, { start, end: utterance.end }];
}

/** Returns `to` when no window fits; times in seconds. */
function findQuietestMoment(samples: Int16Array, from: number, to: number): number {
  let best = to;
  let least = Infinity;
  for (let at = from; at + ENERGY_WINDOW_SECONDS <= to; at += ENERGY_WINDOW_SECONDS) {
    const window = samples.subarray(
      Math.round(at * SAMPLE_RATE),
      Math.round((at + ENERGY_WINDOW_SECONDS) * SAMPLE_RATE),
    );
    const energy = window.reduce((sum, sample) => sum + sample * sample, 0);
    if (energy < least) [least, best] = [energy, at + ENERGY_WINDOW_SECONDS / 2];
  }
  return best;
}
