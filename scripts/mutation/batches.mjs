import { getTestProject } from './mutation.mjs';

/**
 * Groups mutations that can be applied at the same time: they share a suite, but neither a source file nor a test file.
 *
 * @param {import('./mutation.mjs').Mutation[]} mutations
 * @returns {import('./mutation.mjs').Mutation[][]}
 */
export function groupIntoBatches(mutations) {
  const batches = [];
  for (const mutation of mutations) {
    const fits = (batch) =>
      batch.every(
        (other) =>
          getTestProject(other) === getTestProject(mutation) &&
          other.file !== mutation.file &&
          other.test !== mutation.test,
      );
    const batch = batches.find(fits);
    if (batch) batch.push(mutation);
    else batches.push([mutation]);
  }
  return batches;
}
