/** @param {number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs the sides alternately, in reverse order every other round, so that changes in the speed of the machine affect all.
 *
 * @template {Record<string, () => Promise<unknown>>} S
 * @param {number} rounds
 * @param {S} sides
 * @returns {Promise<{ [K in keyof S]: Awaited<ReturnType<S[K]>>[] }>} results of each side by round
 */
export async function runInterleaved(rounds, sides) {
  const names = Object.keys(sides);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) results[name].push(await sides[name]());
  }
  return results;
}

/**
 * The median of the ratios of each round, whose measurements follow each other closely.
 *
 * @template T
 * @param {T[]} numerators @param {T[]} denominators of the same length
 * @param {(measured: T) => number} value
 */
export function medianRatio(numerators, denominators, value) {
  return median(numerators.map((round, index) => value(round) / value(denominators[index])));
}
