import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { CooperativeYield } from './cooperative-yield.js';
import { MFCC_COEFFICIENTS } from './mfcc-extractor.js';
import type { FloatVector } from './vector-table.js';

/** Cepstral means and pitch. */
export const FEATURE_DIMENSIONS = MFCC_COEFFICIENTS + 1;

/** Neighbours that the expected scatter counts for: it decides in short files and fades in long ones. */
const PRIOR_WEIGHT = 40;
/** Variance of one voice from window to window, as measured on read speech: coefficients, then octaves of pitch. */
const PRIOR_VARIANCES = [
  14, 3.5, 3, 1.8, 1, 0.7, 0.4, 0.28, 0.4, 0.25, 0.13, 0.12, 0.08, 0.08, 0.085, 0.07, 0.06, 0.035, 0.028,
  0.035, 0.015,
];
/** Part of the steps that is surely within one voice, and what this part underestimates the scatter by. */
const TRUSTED_STEPS = { share: 0.6, underestimate: 1.6 };
const ESTIMATION_ROUNDS = 6;
/** Squared length, for each dimension, up to which a step is within one voice. On average it is 2 there. */
const MAX_STEP_PER_DIMENSION = 4;

/** Differences of neighbouring windows. */
export interface WindowSteps {
  readonly count: number;
  /** `DIMENSIONS` values, true until the next one is asked for. */
  at(place: number): Float64Array;
}

/**
 * How much one voice scatters from window to window: the lower triangular root of its covariance.
 *
 * Half the covariance of the steps is that of the windows. Some steps go from one voice to another, where people
 * leave no pause, and would make all voices look alike. They are among the greatest: a first estimate is made of
 * the smaller steps only, and tells which of all the steps can be within one voice.
 */
export async function estimateCovarianceFactor(
  steps: WindowSteps,
  yielder: CooperativeYield,
): Promise<Matrix> {
  const root = await estimateCovarianceFactorFromSmallSteps(steps, yielder);
  const sizes = new Float64Array(steps.count);
  await measureSizes(sizes, steps, root, yielder);
  const within = (place: number): boolean =>
    (sizes[place] ?? Infinity) < MAX_STEP_PER_DIMENSION * FEATURE_DIMENSIONS;
  return factorCovariance(steps, within, 1, yielder);
}

/** The same of the smaller steps only, for where so many steps may go to another voice that their sizes tell nothing. */
export async function estimateCovarianceFactorFromSmallSteps(
  steps: WindowSteps,
  yielder: CooperativeYield,
): Promise<Matrix> {
  let root = await factorCovariance(steps, () => false, 1, yielder);
  const sizes = new Float64Array(steps.count);
  const inOrder = new Float64Array(steps.count);
  for (let round = 0; round < ESTIMATION_ROUNDS; round += 1) {
    await measureSizes(sizes, steps, root, yielder);
    inOrder.set(sizes);
    const limit = inOrder.sort()[Math.ceil(TRUSTED_STEPS.share * sizes.length) - 1] ?? 0;
    const sure = (place: number): boolean => (sizes[place] ?? Infinity) <= limit;
    root = await factorCovariance(steps, sure, TRUSTED_STEPS.underestimate, yielder);
  }
  return root;
}

/** Leaves in `sizes` the squared lengths in the space of an estimate. */
async function measureSizes(
  sizes: Float64Array,
  steps: WindowSteps,
  root: Matrix,
  yielder: CooperativeYield,
): Promise<void> {
  const solved = new Float64Array(FEATURE_DIMENSIONS);
  for (const place of sizes.keys()) {
    sizes[place] = solveLowerTriangular(root, steps.at(place), solved).reduce(
      (sum, value) => sum + value * value,
      0,
    );
    await yielder.yieldIfDue();
  }
}

/** @param counts whether a step counts, by its place */
async function factorCovariance(
  steps: WindowSteps,
  counts: (place: number) => boolean,
  factor: number,
  yielder: CooperativeYield,
): Promise<Matrix> {
  const products = new Matrix(FEATURE_DIMENSIONS, FEATURE_DIMENSIONS);
  let counted = 0;
  for (let place = 0; place < steps.count; place += 1) {
    if (!counts(place)) continue;
    addOuterProduct(products, steps.at(place));
    counted += 1;
    await yielder.yieldIfDue();
  }
  const expected = Matrix.diag(PRIOR_VARIANCES).mul(PRIOR_WEIGHT);
  const covariance = products
    .mul(factor / 2)
    .add(expected)
    .div(counted + PRIOR_WEIGHT);
  return new CholeskyDecomposition(covariance).lowerTriangularMatrix;
}

/** Adds the product of a vector with itself. */
function addOuterProduct(products: Matrix, vector: Float64Array): void {
  for (const [row, a] of vector.entries()) {
    for (const [column, b] of vector.entries()) products.set(row, column, products.get(row, column) + a * b);
  }
}

/** Solves `root · x = vector` for a lower triangular root. Returns `solved`, which may be the vector itself. */
export function solveLowerTriangular<T extends FloatVector>(root: Matrix, vector: T, solved: T): T {
  for (let row = 0; row < vector.length; row += 1) {
    let rest = vector[row] ?? 0;
    for (let column = 0; column < row; column += 1) rest -= root.get(row, column) * (solved[column] ?? 0);
    solved[row] = rest / root.get(row, row);
  }
  return solved;
}
