import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { Breather } from './breather.js';
import { COEFFICIENTS } from './cepstrum.js';
import { goesOn, type VoiceWindow } from './voice-window.js';

/** Cepstral means and pitch. */
export const DIMENSIONS = COEFFICIENTS + 1;

/** A window as a point: in every direction, one voice scatters by about one from window to window. */
export interface VoicePoint {
  at: Float64Array;
  /** 1 for a full window of sound, less for one with little. */
  weight: number;
}

/** Frames of sound in a full window. */
const FULL_FRAMES = 25;
/** Voiced frames from which on the pitch of a window counts. */
const ENOUGH_VOICED = 4;
/** Neighbours that the expected scatter counts for: it decides in short files and fades in long ones. */
const EXPECTED_COUNT = 40;
/** Variance of one voice from window to window, as measured on read speech: coefficients, then octaves of pitch. */
const EXPECTED_SCATTER = [
  14, 3.5, 3, 1.8, 1, 0.7, 0.4, 0.28, 0.4, 0.25, 0.13, 0.12, 0.08, 0.08, 0.085, 0.07, 0.06, 0.035, 0.028,
  0.035, 0.015,
];

/**
 * Puts the windows of a whole file into a space in which distance tells voices apart.
 *
 * What changes from one window to the next without a pause is what is said, hardly ever who says it. So the file
 * itself tells how much one voice scatters, and the space is scaled by that; no training is needed, and the
 * average sound of a voice, which a normalisation over the file would take away, stays.
 */
export async function voiceSpace(windows: readonly VoiceWindow[], breather: Breather): Promise<VoicePoint[]> {
  const raw = rawVectors(windows);
  const root = new CholeskyDecomposition(await scatter(windows, raw, breather)).lowerTriangularMatrix;
  const points: VoicePoint[] = [];
  for (const [index, { frames }] of windows.entries()) {
    const at = solveLower(root, raw[index] ?? new Float64Array(DIMENSIONS));
    points.push({ at, weight: Math.min(1, frames / FULL_FRAMES) });
    await breather.breathe();
  }
  return points;
}

/** A window without pitch has that of the windows around it, at best of its run, else the middle of the file. */
function rawVectors(windows: readonly VoiceWindow[]): Float64Array[] {
  const known = windows.filter(hasPitch);
  const middle = known.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, known.length);
  return windows.map((window, index) => {
    const vector = new Float64Array(DIMENSIONS);
    vector.set(window.mean);
    vector[COEFFICIENTS] = pitchNear(windows, index) ?? middle;
    return vector;
  });
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

/** Covariance of one voice from window to window: half of that of the steps between neighbours. */
async function scatter(
  windows: readonly VoiceWindow[],
  raw: readonly Float64Array[],
  breather: Breather,
): Promise<Matrix> {
  const products = new Matrix(DIMENSIONS, DIMENSIONS);
  let count = 0;
  for (let i = 1; i < windows.length; i += 1) {
    const [from, to] = [raw[i - 1], raw[i]];
    if (!from || !to || !goesOn(windows[i - 1], windows[i])) continue;
    addProduct(
      products,
      to.map((value, index) => value - (from[index] ?? 0)),
    );
    count += 1;
    await breather.breathe();
  }
  const expected = Matrix.diag(EXPECTED_SCATTER).mul(EXPECTED_COUNT);
  return products
    .div(2)
    .add(expected)
    .div(count + EXPECTED_COUNT);
}

/** Adds the product of a vector with itself. */
function addProduct(products: Matrix, vector: Float64Array): void {
  for (const [row, a] of vector.entries()) {
    for (const [column, b] of vector.entries()) products.set(row, column, products.get(row, column) + a * b);
  }
}

/** Solves `root · x = vector` for a lower triangular root. */
function solveLower(root: Matrix, vector: Float64Array): Float64Array {
  const solved = new Float64Array(vector.length);
  for (let row = 0; row < vector.length; row += 1) {
    let rest = vector[row] ?? 0;
    for (let column = 0; column < row; column += 1) rest -= root.get(row, column) * (solved[column] ?? 0);
    solved[row] = rest / root.get(row, row);
  }
  return solved;
}
