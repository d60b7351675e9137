import type { Breather } from './breather.js';
import { COEFFICIENTS } from './cepstrum.js';
import { DIMENSIONS, scatterRoot, solveLower, type Steps } from './scatter.js';
import { type Numbers, Vectors } from './vectors.js';
import { goesOn, type VoiceWindow } from './voice-window.js';

/** A window as a point: in every direction, one voice scatters by about one from window to window. */
export interface VoicePoint {
  at: Numbers;
  /** 1 for a full window of sound, less for one with little. */
  weight: number;
}

/** The points of a file. Each is made when it is asked for: of a long file there is no room for all of them at once. */
export interface VoicePoints {
  readonly count: number;
  at(index: number): VoicePoint;
}

/** Frames of sound in a full window. */
const FULL_FRAMES = 25;
/** Voiced frames from which on the pitch of a window counts. */
const ENOUGH_VOICED = 4;

/**
 * Puts the windows of a whole file into a space in which distance tells voices apart.
 *
 * What changes from one window to the next without a pause is what is said, hardly ever who says it. So the file
 * itself tells how much one voice scatters, and the space is scaled by that; no training is needed, and the
 * average sound of a voice, which a normalisation over the file would take away, stays.
 */
export async function voiceSpace(windows: readonly VoiceWindow[], breather: Breather): Promise<VoicePoints> {
  const vectors = rawVectors(windows);
  const root = await scatterRoot(stepsOf(windows, vectors), breather);
  for (let index = 0; index < vectors.count; index += 1) {
    // In place: of a long file there is no room for both.
    solveLower(root, vectors.at(index), vectors.at(index));
    await breather.breathe();
  }
  const weights = Float64Array.from(windows, ({ frames }) => Math.min(1, frames / FULL_FRAMES));
  return {
    count: vectors.count,
    at: (index) => ({ at: vectors.at(index), weight: weights[index] ?? 0 }),
  };
}

/** A window without pitch has that of the windows around it, at best of its run, else the middle of the file. */
function rawVectors(windows: readonly VoiceWindow[]): Vectors {
  const known = windows.filter(hasPitch);
  const middle = known.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, known.length);
  const raw = new Vectors(windows.length, DIMENSIONS);
  for (const [index, { mean }] of windows.entries()) {
    const vector = raw.at(index);
    vector.set(mean);
    vector[COEFFICIENTS] = pitchNear(windows, index) ?? middle;
  }
  return raw;
}

function pitchNear(windows: readonly VoiceWindow[], index: number): number | null {
  const [before, own, after] = [windows[index - 1], windows[index], windows[index + 1]];
  if (own && hasPitch(own)) return own.pitch;
  if (before && hasPitch(before) && goesOn(before, own)) return before.pitch;
  if (after && hasPitch(after) && goesOn(own, after)) return after.pitch;
  return null;
}

function hasPitch({ voiced }: VoiceWindow): boolean {
  return voiced >= ENOUGH_VOICED;
}

/** What changes where the voice goes on without a pause. */
function stepsOf(windows: readonly VoiceWindow[], raw: Vectors): Steps {
  const later = [...windows.keys()].filter((index) => goesOn(windows[index - 1], windows[index]));
  const step = new Float64Array(DIMENSIONS);
  return {
    count: later.length,
    at(place) {
      const index = later[place] ?? 0;
      const [from, to] = [raw.at(index - 1), raw.at(index)];
      for (let i = 0; i < DIMENSIONS; i += 1) step[i] = (to[i] ?? 0) - (from[i] ?? 0);
      return step;
    },
  };
}
