import type { Matrix } from 'ml-matrix';
import type { Breather } from './breather.js';
import { COEFFICIENTS } from './cepstrum.js';
import { DIMENSIONS, leastScatterRoot, scatterRoot, solveLower, type Steps } from './scatter.js';
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
 * The windows of a whole file in a space in which distance tells voices apart.
 *
 * What changes from one window to the next without a pause is what is said, hardly ever who says it. So the file
 * itself tells how much one voice scatters, and the space is scaled by that; no training is needed, and the
 * average sound of a voice, which a normalisation over the file would take away, stays.
 */
export class VoiceSpace implements VoicePoints {
  /** In one place for all scales: of a long file there is no room for two. */
  private readonly vectors: Vectors;
  private readonly weights: Float64Array;

  /** Is to be scaled before it is asked for a point. */
  constructor(private readonly windows: readonly VoiceWindow[]) {
    this.vectors = new Vectors(windows.length, DIMENSIONS);
    this.weights = Float64Array.from(windows, ({ frames }) => Math.min(1, frames / FULL_FRAMES));
  }

  get count(): number {
    return this.windows.length;
  }

  at(index: number): VoicePoint {
    return { at: this.vectors.at(index), weight: this.weights[index] ?? 0 };
  }

  /** By all steps without a pause but the greatest, as long as nobody knows where the voice changes. */
  async scaleBlindly(breather: Breather): Promise<void> {
    this.load();
    await this.solve(await leastScatterRoot(this.steps(new Set()), breather), breather);
  }

  /**
   * By the steps within one voice.
   * @param changes indices of windows with which another voice begins. The change may lie within the window or the
   *   one before it, which hold both voices then: neither's steps count
   */
  async scale(changes: ReadonlySet<number>, breather: Breather): Promise<void> {
    const uncertain = new Set([...changes].flatMap((index) => [index - 1, index, index + 1]));
    this.load();
    await this.solve(await scatterRoot(this.steps(uncertain), breather), breather);
  }

  /** A window without pitch has that of the windows around it, at best of its run, else the middle of the file. */
  private load(): void {
    const known = this.windows.filter(hasPitch);
    const middle = known.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, known.length);
    for (const [index, { mean }] of this.windows.entries()) {
      const vector = this.vectors.at(index);
      vector.set(mean);
      vector[COEFFICIENTS] = pitchNear(this.windows, index) ?? middle;
    }
  }

  private async solve(root: Matrix, breather: Breather): Promise<void> {
    for (let index = 0; index < this.count; index += 1) {
      solveLower(root, this.vectors.at(index), this.vectors.at(index));
      await breather.breathe();
    }
  }

  /** What changes where the voice goes on without a pause, from a window to the next unless that is left out. */
  private steps(without: ReadonlySet<number>): Steps {
    const { windows, vectors } = this;
    const later = [...windows.keys()].filter(
      (index) => !without.has(index) && goesOn(windows[index - 1], windows[index]),
    );
    const step = new Float64Array(DIMENSIONS);
    return {
      count: later.length,
      at(place) {
        const index = later[place] ?? 0;
        const [from, to] = [vectors.at(index - 1), vectors.at(index)];
        for (let i = 0; i < DIMENSIONS; i += 1) step[i] = (to[i] ?? 0) - (from[i] ?? 0);
        return step;
      },
    };
  }
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
