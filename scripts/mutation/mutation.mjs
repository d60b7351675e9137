import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from '../lib/root.mjs';
import { containsTestName, listTestFiles } from '../lib/test-names.mjs';

/**
 * A condition in the code, a change that removes it, and the test that must fail then.
 *
 * @typedef {object} Mutation
 * @property {string} protects what the condition ensures, in a few words
 * @property {string} change how the mutated code behaves, in a few words
 * @property {string} file the mutated file, from the root
 * @property {string} from the text that is replaced, found once in the file
 * @property {string} to the replacement; must compile
 * @property {string} test the file of the test, from the root
 * @property {string} name of the test, as in the source of the test file, or of a suite or contract that it runs
 */

/** The suite (project of vitest.config.ts) of the test. @param {Mutation} mutation */
export function getTestProject({ test }) {
  return /^test\/(integration|e2e|s3|faults|speech)\//.exec(test)?.[1] ?? 'unit';
}

/** A regular expression for the titles of the test; placeholders of `it.each` match anything. @param {Mutation} mutation */
export function buildTitlePattern({ name }) {
  const text = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `${text.replaceAll(/%[a-z]|\\\$\w+/g, '.*')}$`;
}

/** @returns the mutated source @param {Mutation} mutation @param {string} source */
export function applyMutation({ from, to }, source) {
  return source.replace(from, () => to);
}

/**
 * Returns problems of an entry: text that is missing or not unique, a test that does not exist.
 *
 * @param {Mutation} mutation @returns {Promise<string[]>}
 */
export async function findMutationProblems({ protects, file, from, to, test, name }) {
  const source = await readFile(join(ROOT, file), 'utf8').catch(() => undefined);
  if (source === undefined) return [`${protects}: there is no file ${file}`];
  const problems = [];
  const found = source.split(from).length - 1;
  if (found !== 1) problems.push(`${protects}: its text occurs ${found} times in ${file}, not once`);
  if (from === to) problems.push(`${protects}: the mutation changes nothing`);
  if (!(await hasTest(test, name))) problems.push(`${protects}: ${test} has no test “${name}”`);
  return problems;
}

/** Searches the file, and the suites and contracts that it imports, directly or not. */
async function hasTest(test, name) {
  const files = await listTestFiles();
  const searched = new Set();
  const search = async (path) => {
    if (path === undefined || searched.has(path)) return false;
    searched.add(path);
    const source = await readFile(path, 'utf8').catch(() => '');
    if (containsTestName(source, name)) return true;
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from]) =>
      basename(from).replace(/\.js$/, '.ts'),
    );
    for (const file of imported) if (await search(files.get(file))) return true;
    return false;
  };
  return search(join(ROOT, test));
}
