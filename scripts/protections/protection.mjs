import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from '../lib/root.mjs';
import { namesTest, testFiles } from '../lib/test-names.mjs';

/**
 * A condition in the code that protects something, and the test that must fail without it.
 *
 * @typedef {object} Protection
 * @property {string} what the protection, in a few words
 * @property {string} file where it is, from the root
 * @property {string} by what taking it out does, in a few words
 * @property {string} from the text of it, found once in the file
 * @property {string} to what stands there instead; must be something that compiles
 * @property {string} test the file of the test, from the root
 * @property {string} name of the test, as it stands in the source (of the test file, or of a suite or contract it runs)
 */

/** The ring (project of vitest.config.ts) of a test file. @param {Protection} protection */
export function ringOf({ test }) {
  return /^test\/(integration|e2e|s3|faults|speech)\//.exec(test)?.[1] ?? 'unit';
}

/** Titles that the name stands for: placeholders of `it.each` are anything. @param {Protection} protection */
export function titlesOf({ name }) {
  const text = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `${text.replaceAll(/%[a-z]|\\\$\w+/g, '.*')}$`;
}

/** The file's text without the protection. @param {Protection} protection @param {string} source */
export function withoutIt({ from, to }, source) {
  return source.replace(from, () => to);
}

/**
 * What is wrong with the entry itself: text that is gone or stands there twice, a test that is not there.
 *
 * @param {Protection} protection @returns {Promise<string[]>}
 */
export async function troublesOf({ what, file, from, to, test, name }) {
  const source = await readFile(join(ROOT, file), 'utf8').catch(() => undefined);
  if (source === undefined) return [`${what}: there is no file ${file}`];
  const troubles = [];
  const found = source.split(from).length - 1;
  if (found !== 1) troubles.push(`${what}: its text is ${found} times in ${file}, not once`);
  if (from === to) troubles.push(`${what}: nothing is taken out`);
  if (!(await isNamed(test, name))) troubles.push(`${what}: ${test} has no test “${name}”`);
  return troubles;
}

/** In the file, or in a suite or contract that it runs, which may run others. */
async function isNamed(test, name) {
  const files = await testFiles();
  const seen = new Set();
  const look = async (path) => {
    if (path === undefined || seen.has(path)) return false;
    seen.add(path);
    const source = await readFile(path, 'utf8').catch(() => '');
    if (namesTest(source, name)) return true;
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from]) =>
      basename(from).replace(/\.js$/, '.ts'),
    );
    for (const file of imported) if (await look(files.get(file))) return true;
    return false;
  };
  return look(join(ROOT, test));
}
