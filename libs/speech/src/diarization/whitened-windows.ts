import type { Matrix } from 'ml-matrix';
import type { CooperativeYielder } from '@app/async';
import { MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import {
  ACOUSTIC_FEATURE_COUNT,
  estimateCholeskyFactorFromSmallDifferences,
  estimateCovarianceCholeskyFactor,
  solveLowerTriangular,
  type ConsecutiveWindowDifferences,
} from './within-speaker-covariance.js';
import { type FloatVector, VectorTable } from './cluster.js';
import { areWindowsContiguous, type AcousticWindow } from './acoustic-window.js';

/** A window as a vector, scaled to a within-speaker variance of about one in every dimension. */
export interface WeightedVector {
  vector: FloatVector;
  /** 1 for a window full of speech, less for one with little. */
  weight: number;
}

/** Computed on access to save memory. */
export interface WeightedVectors {
  readonly count: number;
  at(index: number): WeightedVector;
}

const FULL_WINDOW_FRAMES = 25;
const MIN_VOICED_FRAMES = 4;

/**
 * The windows of a file in a space in which distance separates speakers. Windows that follow each other without a pause
 * differ by what is said, rarely by who says it. So the within-speaker covariance is estimated from the file itself and
 * whitened. No training is needed, and unlike normalization over the file this preserves the mean of each speaker.
 */
export class WhitenedWindows implements WeightedVectors {
  /** Overwritten by each whitening: memory would not suffice for two copies of a long file. */
  private readonly vectors: VectorTable;
  private readonly weights: Float64Array;

  /** `whiten` or `whitenWithoutChanges` must be called before `at`. */
  constructor(private readonly windows: readonly AcousticWindow[]) {
    this.vectors = new VectorTable(windows.length, ACOUSTIC_FEATURE_COUNT);
    this.weights = Float64Array.from(windows, ({ frames }) => Math.min(1, frames / FULL_WINDOW_FRAMES));
  }

  get count(): number {
    return this.windows.length;
  }

  at(index: number): WeightedVector {
    return { vector: this.vectors.at(index), weight: this.weights[index] ?? 0 };
  }

  /** Whitens without known speaker changes: excludes the largest steps. */
  async whitenWithoutChanges(yielder: CooperativeYielder): Promise<void> {
    this.loadFeatures();
    await this.applyWhitening(
      await estimateCholeskyFactorFromSmallDifferences(this.stepsWithout(new Set()), yielder),
      yielder,
    );
  }

  /**
   * Whitens by the steps within one speaker.
   * @param changes indices of windows at which the speaker changes. The change may lie within that window or the one
   *   before, so the steps of both are excluded
   */
  async whiten(changes: ReadonlySet<number>, yielder: CooperativeYielder): Promise<void> {
    const uncertain = new Set([...changes].flatMap((index) => [index - 1, index, index + 1]));
    this.loadFeatures();
    await this.applyWhitening(
      await estimateCovarianceCholeskyFactor(this.stepsWithout(uncertain), yielder),
      yielder,
    );
  }

  /** A window without pitch gets that of a contiguous neighbour, or else the mean of the file. */
  private loadFeatures(): void {
    const known = this.windows.filter(hasPitch);
    const meanPitch = known.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, known.length);
    for (const [index, { mean }] of this.windows.entries()) {
      const vector = this.vectors.at(index);
      vector.set(mean);
      vector[MFCC_COEFFICIENT_COUNT] = findNearbyPitch(this.windows, index) ?? meanPitch;
    }
  }

  private async applyWhitening(factor: Matrix, yielder: CooperativeYielder): Promise<void> {
    for (let index = 0; index < this.count; index += 1) {
      solveLowerTriangular(factor, this.vectors.at(index), this.vectors.at(index));
      await yielder.yieldIfDue();
    }
  }

  private stepsWithout(without: ReadonlySet<number>): ConsecutiveWindowDifferences {
    const { windows, vectors } = this;
    const indices = [...windows.keys()].filter(
      (index) => !without.has(index) && areWindowsContiguous(windows[index - 1], windows[index]),
    );
    const step = new Float64Array(ACOUSTIC_FEATURE_COUNT);
    return {
      count: indices.length,
      at(position) {
        const index = indices[position] ?? 0;
        const [from, to] = [vectors.at(index - 1), vectors.at(index)];
        for (let i = 0; i < ACOUSTIC_FEATURE_COUNT; i += 1) step[i] = (to[i] ?? 0) - (from[i] ?? 0);
        return step;
      },
    };
  }
}

function findNearbyPitch(windows: readonly AcousticWindow[], index: number): number | null {
  const [before, current, after] = [windows[index - 1], windows[index], windows[index + 1]];
  if (current && hasPitch(current)) return current.pitch;
  if (before && hasPitch(before) && areWindowsContiguous(before, current)) return before.pitch;
  if (after && hasPitch(after) && areWindowsContiguous(current, after)) return after.pitch;
  return null;
}

function hasPitch({ voiced }: AcousticWindow): boolean {
  return voiced >= MIN_VOICED_FRAMES;
}
