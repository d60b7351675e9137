import { findUnpaddedUtterances, type Utterance } from '../../vad/utterances.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';

/** A part of a chunk that is heard at once; seconds from the start of the chunk. */
export interface RecognitionWindow {
  start: number;
  end: number;
  /** Where in it someone talks, in order. */
  talk: Utterance[];
}

/** Silence kept around a stretch, so that a model hears it begin and end. */
const PADDING_SECONDS = 0.2;
/** Talk without a pause is cut where it is quietest in the last part of what fits. */
const SPLIT_SEARCH_START = 2 / 3;
const ENERGY_WINDOW_SECONDS = 0.02;

/** The stretches of a chunk, none longer than `maxSeconds`: as few as pauses allow. Empty when nobody talks. */
export function splitIntoWindows(samples: Int16Array, maxSeconds: number): RecognitionWindow[] {
  const duration = samples.length / SAMPLE_RATE;
  const most = maxSeconds - 2 * PADDING_SECONDS;
  const joined: RecognitionWindow[] = [];
  for (const piece of findUnpaddedUtterances(samples).flatMap((talk) =>
    splitUtterance(samples, talk, most),
  )) {
    const last = joined.at(-1);
    if (last && piece.end - last.start <= most) {
      last.end = piece.end;
      last.talk.push(piece);
    } else joined.push({ ...piece, talk: [piece] });
  }
  return joined.map(({ start, end, talk }, index) => {
    const before = joined[index - 1]?.end ?? -Infinity;
    const after = joined[index + 1]?.start ?? Infinity;
    return {
      start: Math.max(0, start - PADDING_SECONDS, (before + start) / 2),
      end: Math.min(duration, end + PADDING_SECONDS, (after + end) / 2),
      talk,
    };
  });
}

function splitUtterance(samples: Int16Array, talk: Utterance, most: number): Utterance[] {
  const cut: Utterance[] = [];
  let { start } = talk;
  while (talk.end - start > most) {
    const end = findQuietestMoment(samples, start + most * SPLIT_SEARCH_START, start + most);
    cut.push({ start, end });
    start = end;
  }
  return [...cut, { start, end: talk.end }];
}

/** The second between two others at which the sound is weakest. */
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
