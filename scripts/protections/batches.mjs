import { ringOf } from './protection.mjs';

/**
 * Protections that may be taken out at the same time: of one ring, no two of one file or with one file of tests.
 *
 * @param {import('./protection.mjs').Protection[]} protections
 * @returns {import('./protection.mjs').Protection[][]}
 */
export function batchesOf(protections) {
  const batches = [];
  for (const protection of protections) {
    const fits = (batch) =>
      batch.every(
        (other) =>
          ringOf(other) === ringOf(protection) &&
          other.file !== protection.file &&
          other.test !== protection.test,
      );
    const batch = batches.find(fits);
    if (batch) batch.push(protection);
    else batches.push([protection]);
  }
  return batches;
}
