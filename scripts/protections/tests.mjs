import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from '../lib/command.mjs';
import { ringOf, titlesOf } from './protection.mjs';

/** @typedef {import('./protection.mjs').Protection} Protection */

/**
 * Runs the tests of protections of one ring, and no others.
 *
 * @param {string} root of the project or a copy @param {Protection[]} protections
 * @returns {Promise<{ output: string, of(protection: Protection): { passed: number, failed: number } }>}
 */
export async function runTestsOf(root, protections) {
  const [ring] = protections.map(ringOf);
  const folder = await mkdtemp(join(tmpdir(), 'ring-'));
  const report = join(folder, 'report.json');
  try {
    const files = new Set(protections.map(({ test }) => test));
    const titles = [...new Set(protections.map(titlesOf))].join('|');
    const { output } = await capture(
      process.execPath,
      [
        ...[join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', ring, '-t', titles],
        ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files],
      ],
      { cwd: root },
    );
    const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}');
    return { output, of: (protection) => countOf(JSON.parse(text), protection) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function countOf({ testResults }, protection) {
  const title = new RegExp(`^${titlesOf(protection)}`);
  const tests = testResults
    .filter(({ name }) => name.endsWith(`/${protection.test}`))
    .flatMap(({ assertionResults }) => assertionResults.filter((test) => title.test(test.title)));
  const count = (status) => tests.filter((test) => test.status === status).length;
  return { passed: count('passed'), failed: count('failed') };
}
