import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { Breather } from './breather.js';
import { COEFFICIENTS } from './cepstrum.js';
import type { Numbers } from './vectors.js';

/** Cepstral means and pitch. */
export const DIMENSIONS = COEFFICIENTS + 1;

/** Neighbours that the expected scatter counts for: it decides in short files and fades in long ones. */
const EXPECTED_COUNT = 40;
/** Variance of one voice from window to window, as measured on read speech: coefficients, then octaves of pitch. */
const EXPECTED_SCATTER = [
  14, 3.5, 3, 1.8, 1, 0.7, 0.4, 0.28, 0.4, 0.25, 0.13, 0.12, 0.08, 0.08, 0.085, 0.07, 0.06, 0.035, 0.028,
  0.035, 0.015,
];
/** Part of the steps that is surely within one voice, and what this part underestimates the scatter by. */
const SURE = { share: 0.6, underestimate: 1.6 };
const ROUNDS = 6;
/** Squared length, for each dimension, up to which a step is within one voice. On average it is 2 there. */
const GREATEST_STEP = 4;

/** Differences of neighbouring windows. */
export interface Steps {
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
export async function scatterRoot(steps: Steps, breather: Breather): Promise<Matrix> {
  const root = await leastScatterRoot(steps, breather);
  const sizes = new Float64Array(steps.count);
  await measureSizes(sizes, steps, root, breather);
  const within = (place: number): boolean => (sizes[place] ?? Infinity) < GREATEST_STEP * DIMENSIONS;
  return rootOf(steps, within, 1, breather);
}

/** The same of the smaller steps only, for where so many steps may go to another voice that their sizes tell nothing. */
export async function leastScatterRoot(steps: Steps, breather: Breather): Promise<Matrix> {
  let root = await rootOf(steps, () => false, 1, breather);
  const sizes = new Float64Array(steps.count);
  const inOrder = new Float64Array(steps.count);
  for (let round = 0; round < ROUNDS; round += 1) {
    await measureSizes(sizes, steps, root, breather);
    inOrder.set(sizes);
    const limit = inOrder.sort()[Math.ceil(SURE.share * sizes.length) - 1] ?? 0;
    const sure = (place: number): boolean => (sizes[place] ?? Infinity) <= limit;
    root = await rootOf(steps, sure, SURE.underestimate, breather);
  }
  return root;
}

/** Leaves in `sizes` the squared lengths in the space of an estimate. */
async function measureSizes(
  sizes: Float64Array,
  steps: Steps,
  root: Matrix,
  breather: Breather,
): Promise<void> {
  const solved = new Float64Array(DIMENSIONS);
  for (const place of sizes.keys()) {
    sizes[place] = solveLower(root, steps.at(place), solved).reduce((sum, value) => sum + value * value, 0);
    await breather.breathe();
  }
}

/** @param counts whether a step counts, by its place */
async function rootOf(
  steps: Steps,
  counts: (place: number) => boolean,
  factor: number,
  breather: Breather,
): Promise<Matrix> {
  const products = new Matrix(DIMENSIONS, DIMENSIONS);
  let counted = 0;
  for (let place = 0; place < steps.count; place += 1) {
    if (!counts(place)) continue;
    addProduct(products, steps.at(place));
    counted += 1;
    await breather.breathe();
  }
  const expected = Matrix.diag(EXPECTED_SCATTER).mul(EXPECTED_COUNT);
  const covariance = products
    .mul(factor / 2)
    .add(expected)
    .div(counted + EXPECTED_COUNT);
  return new CholeskyDecomposition(covariance).lowerTriangularMatrix;
}

/** Adds the product of a vector with itself. */
function addProduct(products: Matrix, vector: Float64Array): void {
  for (const [row, a] of vector.entries()) {
    for (const [column, b] of vector.entries()) products.set(row, column, products.get(row, column) + a * b);
  }
}

/** Solves `root · x = vector` for a lower triangular root. Returns `solved`, which may be the vector itself. */
export function solveLower<T extends Numbers>(root: Matrix, vector: T, solved: T): T {
  for (let row = 0; row < vector.length; row += 1) {
    let rest = vector[row] ?? 0;
    for (let column = 0; column < row; column += 1) rest -= root.get(row, column) * (solved[column] ?? 0);
    solved[row] = rest / root.get(row, row);
  }
  return solved;
}
