import type { Matrix } from 'ml-matrix';
import type { CooperativeYield } from './cooperative-yield.js';
import { MFCC_COEFFICIENTS } from './mfcc-extractor.js';
import {
  FEATURE_DIMENSIONS,
  estimateCovarianceFactorFromSmallSteps,
  estimateCovarianceFactor,
  solveLowerTriangular,
  type WindowSteps,
} from './within-speaker-covariance.js';
import { type FloatVector, VectorTable } from './vector-table.js';
import { isContiguous, type AcousticWindow } from './acoustic-window.js';

/** A window as a point: in every direction, one voice scatters by about one from window to window. */
export interface FeaturePoint {
  at: FloatVector;
  /** 1 for a full window of sound, less for one with little. */
  weight: number;
}

/** The points of a file. Each is made when it is asked for: of a long file there is no room for all of them at once. */
export interface FeaturePoints {
  readonly count: number;
  at(index: number): FeaturePoint;
}

/** Frames of sound in a full window. */
const FULL_WINDOW_FRAMES = 25;
/** Voiced frames from which on the pitch of a window counts. */
const MIN_VOICED_FRAMES = 4;

/**
 * The windows of a whole file in a space in which distance tells voices apart.
 *
 * What changes from one window to the next without a pause is what is said, hardly ever who says it. So the file
 * itself tells how much one voice scatters, and the space is scaled by that; no training is needed, and the
 * average sound of a voice, which a normalisation over the file would take away, stays.
 */
export class FeatureSpace implements FeaturePoints {
  /** In one place for all scales: of a long file there is no room for two. */
  private readonly vectors: VectorTable;
  private readonly weights: Float64Array;

  /** Is to be scaled before it is asked for a point. */
  constructor(private readonly windows: readonly AcousticWindow[]) {
    this.vectors = new VectorTable(windows.length, FEATURE_DIMENSIONS);
    this.weights = Float64Array.from(windows, ({ frames }) => Math.min(1, frames / FULL_WINDOW_FRAMES));
  }

  get count(): number {
    return this.windows.length;
  }

  at(index: number): FeaturePoint {
    return { at: this.vectors.at(index), weight: this.weights[index] ?? 0 };
  }

  /** By all steps without a pause but the greatest, as long as nobody knows where the voice changes. */
  async whitenWithoutChanges(yielder: CooperativeYield): Promise<void> {
    this.loadFeatures();
    await this.applyWhitening(
      await estimateCovarianceFactorFromSmallSteps(this.stepsWithout(new Set()), yielder),
      yielder,
    );
  }

  /**
   * By the steps within one voice.
   * @param changes indices of windows with which another voice begins. The change may lie within the window or the
   *   one before it, which hold both voices then: neither's steps count
   */
  async whiten(changes: ReadonlySet<number>, yielder: CooperativeYield): Promise<void> {
    const uncertain = new Set([...changes].flatMap((index) => [index - 1, index, index + 1]));
    this.loadFeatures();
    await this.applyWhitening(await estimateCovarianceFactor(this.stepsWithout(uncertain), yielder), yielder);
  }

  /** A window without pitch has that of the windows around it, at best of its run, else the middle of the file. */
  private loadFeatures(): void {
    const known = this.windows.filter(hasPitch);
    const middle = known.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, known.length);
    for (const [index, { mean }] of this.windows.entries()) {
      const vector = this.vectors.at(index);
      vector.set(mean);
      vector[MFCC_COEFFICIENTS] = findNearbyPitch(this.windows, index) ?? middle;
    }
  }

  private async applyWhitening(root: Matrix, yielder: CooperativeYield): Promise<void> {
    for (let index = 0; index < this.count; index += 1) {
      solveLowerTriangular(root, this.vectors.at(index), this.vectors.at(index));
      await yielder.yieldIfDue();
    }
  }

  /** What changes where the voice goes on without a pause, from a window to the next unless that is left out. */
  private stepsWithout(without: ReadonlySet<number>): WindowSteps {
    const { windows, vectors } = this;
    const later = [...windows.keys()].filter(
      (index) => !without.has(index) && isContiguous(windows[index - 1], windows[index]),
    );
    const step = new Float64Array(FEATURE_DIMENSIONS);
    return {
      count: later.length,
      at(place) {
        const index = later[place] ?? 0;
        const [from, to] = [vectors.at(index - 1), vectors.at(index)];
        for (let i = 0; i < FEATURE_DIMENSIONS; i += 1) step[i] = (to[i] ?? 0) - (from[i] ?? 0);
        return step;
      },
    };
  }
}

function findNearbyPitch(windows: readonly AcousticWindow[], index: number): number | null {
  const [before, own, after] = [windows[index - 1], windows[index], windows[index + 1]];
  if (own && hasPitch(own)) return own.pitch;
  if (before && hasPitch(before) && isContiguous(before, own)) return before.pitch;
  if (after && hasPitch(after) && isContiguous(own, after)) return after.pitch;
  return null;
}

function hasPitch({ voiced }: AcousticWindow): boolean {
  return voiced >= MIN_VOICED_FRAMES;
}
