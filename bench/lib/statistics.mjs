/** @param {number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The medians of every numeric field of the rounds, each by itself.
 *
 * @template {Record<string, number>} T
 * @param {T[]} rounds at least one
 * @returns {T}
 */
export function medians(rounds) {
  const names = Object.keys(rounds[0]);
  return /** @type {T} */ (
    Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))]))
  );
}

/**
 * Runs two sides in turn, the second one first in every other round, so that a machine that slows down or is busy
 * for a while does so to both.
 *
 * @template A, B
 * @param {number} rounds
 * @param {{ ours: () => Promise<A>, baseline: () => Promise<B> }} sides
 * @returns {Promise<{ ours: A[], baseline: B[] }>}
 */
export async function interleaved(rounds, sides) {
  const results = { ours: /** @type {A[]} */ ([]), baseline: /** @type {B[]} */ ([]) };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? ['baseline', 'ours'] : ['ours', 'baseline'];
    for (const side of order) results[side].push(await sides[side]());
  }
  return results;
}

/**
 * The median of the ratios within the rounds: each compares two measurements of the same minute.
 *
 * @template T
 * @param {T[]} above @param {T[]} below as many
 * @param {(measured: T) => number} value
 */
export function medianRatio(above, below, value) {
  return median(above.map((round, index) => value(round) / value(below[index])));
}
