import { isAudible } from '../../vad/is-audible.js';
import {
  findUnpaddedUtterances,
  joinAcrossShortPauses,
  padSpans,
  type Utterance,
} from '../../vad/utterances.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import type { DetectedSpeech } from '../engine.js';

/** A part of a chunk that is recognized at once; seconds from the start of the chunk. */
export interface RecognitionWindow {
  start: number;
  end: number;
  utterances: Utterance[];
}

/** Silence around a window, so that the model recognizes its first and last word. */
const PADDING_SECONDS = 0.2;
/** Speech without a pause is split at the quietest moment of the last third. */
const SPLIT_SEARCH_START = 2 / 3;
const ENERGY_WINDOW_SECONDS = 0.02;

/**
 * Chooses as few windows of at most `maxSeconds` as possible; none for silence.
 *
 * What a voice activity model heard as speech is in the windows, with some silence around it. Levels miss speech in noise
 * that a recognizer understands, so they only choose where to cut: the windows then contain the whole chunk.
 */
export function chooseRecognitionWindows(
  samples: Int16Array,
  maxSeconds: number,
  speech?: DetectedSpeech,
): RecognitionWindow[] {
  const duration = samples.length / SAMPLE_RATE;
  if (speech?.detector === 'model') {
    const maxLength = maxSeconds - 2 * PADDING_SECONDS;
    const spans = speech.spans.map((span) => ({ ...span, end: Math.min(span.end, duration) }));
    const pieces = joinAcrossShortPauses(spans).map((span) => ({ ...span, utterances: [span] }));
    return padSpans(joinPieces(samples, pieces, maxLength), PADDING_SECONDS, duration);
  }
  return isAudible(samples) ? joinPieces(samples, divideAtPauses(samples, duration), maxSeconds) : [];
}

/** The whole chunk, divided in the middle of each pause. */
function divideAtPauses(samples: Int16Array, duration: number): RecognitionWindow[] {
  const utterances = findUnpaddedUtterances(samples);
  if (utterances.length === 0)
    return [{ start: 0, end: duration, utterances: [{ start: 0, end: duration }] }];
  const cuts = utterances.slice(1).map(({ start }, index) => (start + (utterances[index]?.end ?? start)) / 2);
  return utterances.map((utterance, index) => ({
    start: cuts[index - 1] ?? 0,
    end: cuts[index] ?? duration,
    utterances: [utterance],
  }));
}

function joinPieces(
  samples: Int16Array,
  pieces: readonly RecognitionWindow[],
  maxLength: number,
): RecognitionWindow[] {
  const joined: RecognitionWindow[] = [];
  for (const piece of pieces.flatMap((each) => splitPiece(samples, each, maxLength))) {
    const last = joined.at(-1);
    if (last && piece.end - last.start <= maxLength) {
      last.end = piece.end;
      last.utterances.push(...piece.utterances);
    } else joined.push({ ...piece, utterances: [...piece.utterances] });
  }
  return joined;
}

function splitPiece(samples: Int16Array, piece: RecognitionWindow, maxLength: number): RecognitionWindow[] {
  const parts: RecognitionWindow[] = [];
  let { start } = piece;
  while (piece.end - start > maxLength) {
    const end = findQuietestMoment(samples, start + maxLength * SPLIT_SEARCH_START, start + maxLength);
    parts.push(clipPiece(piece, start, end));
    start = end;
  }
  return [...parts, clipPiece(piece, start, piece.end)];
}

function clipPiece({ utterances }: RecognitionWindow, start: number, end: number): RecognitionWindow {
  const clipped = utterances
    .map((utterance) => ({ start: Math.max(start, utterance.start), end: Math.min(end, utterance.end) }))
    .filter((utterance) => utterance.end > utterance.start);
  return { start, end, utterances: clipped };
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
