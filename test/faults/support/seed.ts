import { SeededRandom } from '../../../scripts/material/seeded-random.mjs';

/** The seed of the random choices; set it to repeat a run. */
export const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31);

/** Creates the random numbers of one test, independent of the other tests, and prints the seed. */
export function seededRandomFor(test: string): SeededRandom {
  console.log(`${test}: FAULTS_SEED=${SEED}`);
  return new SeededRandom(
    [...test].reduce((seed, letter) => Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0), SEED),
  );
}
