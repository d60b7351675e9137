/**
 * `npm run test:mutation`: applies each mutation to a copy of the project, and fails unless the named test then fails.
 *
 *   TEXT           only mutations whose entry contains one of the texts: `npm run test:mutation -- outbound signing.ts`
 *   --suites A,B   only those whose test is in these suites (projects of vitest.config.ts)
 *   --quick        applies several at a time if they share neither files nor tests; one failing test may hide another
 *   --report PATH  path of the Markdown report; .cache/mutation/report.md by default
 *   --check        runs nothing; checks that text and test of each entry still exist
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';
import { groupIntoBatches } from './mutation/batches.mjs';
import { MUTATIONS } from './mutation/catalog.mjs';
import { findMutationProblems, getTestProject } from './mutation/mutation.mjs';
import { createProjectCopy, withMutations } from './mutation/project-copy.mjs';
import { renderReport } from './mutation/report.mjs';
import { SuiteTestRunner } from './mutation/test-runner.mjs';

/** @typedef {import('./mutation/mutation.mjs').Mutation} Mutation */
/** @typedef {import('./mutation/report.mjs').Result} Result */

await runScript(async () => {
  const { check, quick, report, suites, texts } = parseParameters();
  const problems = (await Promise.all(MUTATIONS.map(findMutationProblems))).flat();
  for (const problem of problems) console.log(problem);
  if (problems.length > 0 || check) return problems.length > 0 ? 1 : 0;
  const selected = MUTATIONS.filter((mutation) => isSelected(mutation, suites, texts));
  await prepareCheckout({ tests: true });
  const startedAt = performance.now();
  const results = await testMutations(selected, quick);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const path = resolve(report);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, renderReport(results, { finishedAt: new Date(), minutes }));
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  console.log(`${killed} of ${selected.length} mutations killed in ${minutes} minutes. Report: ${path}`);
  return killed === selected.length && selected.length > 0 ? 0 : 1;
});

function parseParameters() {
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  const text = { type: /** @type {const} */ ('string') };
  const options = {
    check: flag,
    quick: flag,
    suites: text,
    report: { ...text, default: '.cache/mutation/report.md' },
  };
  try {
    const { values, positionals: texts } = parseArgs({ options, allowPositionals: true });
    return { ...values, suites: values.suites?.split(','), texts };
  } catch (error) {
    throw new UserFacingError(
      `${error.message} Known options are --check, --quick, --suites A,B and --report PATH.`,
    );
  }
}

/** @param {Mutation} mutation @param {string[] | undefined} suites @param {string[]} texts an empty list selects every mutation */
function isSelected(mutation, suites, texts) {
  if (suites && !suites.includes(getTestProject(mutation))) return false;
  const entry = JSON.stringify(mutation);
  return texts.length === 0 || texts.some((text) => entry.includes(text));
}

/** @param {Mutation[]} mutations @param {boolean} quick @returns {Promise<Result[]>} */
async function testMutations(mutations, quick) {
  const copy = await createProjectCopy();
  const results = [];
  try {
    for (const suite of new Set(mutations.map(getTestProject))) {
      const suiteMutations = mutations.filter((mutation) => getTestProject(mutation) === suite);
      const runner = await SuiteTestRunner.start(copy.root, suite);
      try {
        results.push(...(await testSuite(copy.root, runner, suiteMutations, quick)));
      } finally {
        // A host that still runs would keep this process from its end.
        await runner.stop();
      }
    }
    return results;
  } finally {
    await copy.remove();
  }
}

/** @param {string} root @param {SuiteTestRunner} runner @param {Mutation[]} mutations of its suite @param {boolean} quick @returns {Promise<Result[]>} */
async function testSuite(root, runner, mutations, quick) {
  printProgress(
    `Running the tests of ${mutations.length} mutations of the suite ${runner.suite} without any mutation ...`,
  );
  const results = await findInvalidMutations(runner, mutations);
  const valid = mutations.filter((mutation) => !results.some((result) => result.mutation === mutation));
  const batches = quick ? groupIntoBatches(valid) : valid.map((mutation) => [mutation]);
  for (const batch of batches) results.push(...(await testBatch(root, runner, batch)));
  return results;
}

/**
 * Mutations whose test does not pass without them, so that its failure would prove nothing.
 *
 * @param {SuiteTestRunner} runner @param {Mutation[]} mutations of the runner's suite @returns {Promise<Result[]>}
 */
async function findInvalidMutations(runner, mutations) {
  const { output, resultOf } = await runner.run(mutations);
  const invalid = mutations.filter((mutation) => {
    const { failed, passed } = resultOf(mutation);
    return failed > 0 || passed === 0;
  });
  if (invalid.length > 0) printProgress(output);
  for (const { protects, name } of invalid)
    console.log(`FAIL ${protects}: “${name}” does not pass without the mutation`);
  return invalid.map((mutation) => ({ mutation, outcome: 'invalid' }));
}

/** @param {string} root @param {SuiteTestRunner} runner @param {Mutation[]} batch @returns {Promise<Result[]>} */
async function testBatch(root, runner, batch) {
  const { resultOf, output } = await withMutations(root, batch, () => runner.run(batch));
  const results = batch.map((mutation) => {
    const { failed, reason } = resultOf(mutation);
    return { mutation, outcome: /** @type {const} */ (failed > 0 ? 'killed' : 'survived'), reason };
  });
  if (results.some(({ outcome }) => outcome === 'survived')) printProgress(output);
  for (const { mutation, outcome, reason } of results) {
    const { protects, change } = mutation;
    console.log(
      `${outcome === 'killed' ? 'ok  ' : 'FAIL'} ${protects}: ${change}${reason ? ` (${reason})` : ''}`,
    );
  }
  return results;
}
