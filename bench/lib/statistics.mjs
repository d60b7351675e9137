/** @param {number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs the sides in turn, in the opposite order every other round, so that a machine that slows down or is busy for a
 * while does so to all of them.
 *
 * @template {Record<string, () => Promise<unknown>>} S
 * @param {number} rounds
 * @param {S} sides
 * @returns {Promise<{ [K in keyof S]: Awaited<ReturnType<S[K]>>[] }>} what each side gave in every round
 */
export async function interleaved(rounds, sides) {
  const names = Object.keys(sides);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) results[name].push(await sides[name]());
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
