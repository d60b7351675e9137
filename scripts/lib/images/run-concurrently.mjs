/**
 * Runs steps at the same time. What a step has started must not outlive the run, so a failure waits for the others.
 *
 * @param {readonly (() => Promise<unknown>)[]} steps
 * @throws the error of the first step in the list that failed
 */
export async function runConcurrently(steps) {
  const results = await Promise.allSettled(steps.map((step) => step()));
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
