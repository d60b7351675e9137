import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { CooperativeYielder } from '@app/async';
import { MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import type { FloatVector } from './cluster.js';

/** MFCC and pitch. */
export const ACOUSTIC_FEATURE_COUNT = MFCC_COEFFICIENT_COUNT + 1;

/** Weight of the prior, in steps: it dominates in short files only. */
const PRIOR_WEIGHT = 40;
/** Within-speaker variances measured on read speech: MFCC, then pitch in octaves. */
const PRIOR_VARIANCES = [
  14, 3.5, 3, 1.8, 1, 0.7, 0.4, 0.28, 0.4, 0.25, 0.13, 0.12, 0.08, 0.08, 0.085, 0.07, 0.06, 0.035, 0.028,
  0.035, 0.015,
];
/** Share of the steps that surely stay within one speaker, and the factor by which they underestimate the variance. */
const TRUSTED_STEPS = { share: 0.6, underestimate: 1.6 };
const ESTIMATION_ROUNDS = 6;
/** Maximum squared length per dimension of a step within one speaker; the mean is 2. */
const MAX_STEP_PER_DIMENSION = 4;

/** Differences between consecutive windows. */
export interface ConsecutiveWindowDifferences {
  readonly count: number;
  /** `ACOUSTIC_FEATURE_COUNT` values; overwritten by the next call. */
  at(index: number): Float64Array;
}

/**
 * Estimates the within-speaker covariance of windows; returns its lower triangular Cholesky factor. The covariance of
 * windows is half that of the steps between them. Steps from one speaker to another would bias it; they are among the
 * largest. So a first estimate from the smaller steps decides which steps are used for the second.
 */
export async function estimateCovarianceCholeskyFactor(
  steps: ConsecutiveWindowDifferences,
  yielder: CooperativeYielder,
): Promise<Matrix> {
  const factor = await estimateCholeskyFactorFromSmallDifferences(steps, yielder);
  const sizes = new Float64Array(steps.count);
  await measureSizes(sizes, steps, factor, yielder);
  const isWithin = (index: number): boolean =>
    (sizes[index] ?? Infinity) < MAX_STEP_PER_DIMENSION * ACOUSTIC_FEATURE_COUNT;
  return factorCovariance(steps, isWithin, 1, yielder);
}

/** The first estimate alone, for files with so many speaker changes that their steps cannot be recognized by size. */
export async function estimateCholeskyFactorFromSmallDifferences(
  steps: ConsecutiveWindowDifferences,
  yielder: CooperativeYielder,
): Promise<Matrix> {
  let factor = await factorCovariance(steps, () => false, 1, yielder);
  const sizes = new Float64Array(steps.count);
  const sorted = new Float64Array(steps.count);
  for (let round = 0; round < ESTIMATION_ROUNDS; round += 1) {
    await measureSizes(sizes, steps, factor, yielder);
    sorted.set(sizes);
    const limit = sorted.sort()[Math.ceil(TRUSTED_STEPS.share * sizes.length) - 1] ?? 0;
    const isTrusted = (index: number): boolean => (sizes[index] ?? Infinity) <= limit;
    factor = await factorCovariance(steps, isTrusted, TRUSTED_STEPS.underestimate, yielder);
  }
  return factor;
}

async function measureSizes(
  sizes: Float64Array,
  steps: ConsecutiveWindowDifferences,
  factor: Matrix,
  yielder: CooperativeYielder,
): Promise<void> {
  const solved = new Float64Array(ACOUSTIC_FEATURE_COUNT);
  for (const index of sizes.keys()) {
    sizes[index] = solveLowerTriangular(factor, steps.at(index), solved).reduce(
      (sum, value) => sum + value * value,
      0,
    );
    await yielder.yieldIfDue();
  }
}

async function factorCovariance(
  steps: ConsecutiveWindowDifferences,
  counts: (index: number) => boolean,
  scale: number,
  yielder: CooperativeYielder,
): Promise<Matrix> {
  const products = new Matrix(ACOUSTIC_FEATURE_COUNT, ACOUSTIC_FEATURE_COUNT);
  let counted = 0;
  for (let index = 0; index < steps.count; index += 1) {
    if (!counts(index)) continue;
    addOuterProduct(products, steps.at(index));
    counted += 1;
    await yielder.yieldIfDue();
  }
  const expected = Matrix.diag(PRIOR_VARIANCES).mul(PRIOR_WEIGHT);
  const covariance = products
    .mul(scale / 2)
    .add(expected)
    .div(counted + PRIOR_WEIGHT);
  return new CholeskyDecomposition(covariance).lowerTriangularMatrix;
}

function addOuterProduct(products: Matrix, vector: Float64Array): void {
  for (const [row, a] of vector.entries()) {
    for (const [column, b] of vector.entries()) products.set(row, column, products.get(row, column) + a * b);
  }
}

/** Solves `factor · x = vector` into `solved`, which may be `vector` itself. */
export function solveLowerTriangular<T extends FloatVector>(factor: Matrix, vector: T, solved: T): T {
  for (let row = 0; row < vector.length; row += 1) {
    let rest = vector[row] ?? 0;
    for (let column = 0; column < row; column += 1) rest -= factor.get(row, column) * (solved[column] ?? 0);
    solved[row] = rest / factor.get(row, row);
  }
  return solved;
}
