import { Chance } from '../../../scripts/material/chance.mjs';

/** Which run of chance this is; set it to see the same one again. */
export const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31);

/** The part of it that belongs to one test, whichever others run. It is printed. */
export function seededRandomFor(test: string): Chance {
  console.log(`${test}: FAULTS_SEED=${SEED}`);
  return new Chance(
    [...test].reduce((seed, letter) => Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0), SEED),
  );
}
