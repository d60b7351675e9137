import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult */

/** Characters shown of what a failure says. */
const SHOWN = 300;

/** @param {Counts} counts */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Counts in vitest's JSON report. A file that failed before any of its tests ran counts as one failure.
 *
 * @param {{ testResults: FileResult[] }} report
 * @returns {Counts}
 */
export function countTests({ testResults }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of testResults) {
    let failedHere = 0;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') failedHere += 1;
      else counts.skipped += 1;
    }
    counts.failed += failedHere || (file.status === 'failed' ? 1 : 0);
  }
  return counts;
}

/**
 * A line for each failure that `countTests` counts, so that whoever reads only the end of a long output finds them.
 *
 * @param {{ testResults: FileResult[] }} report
 * @returns {string[]}
 */
export function failureLines({ testResults }) {
  return testResults.flatMap((file) => {
    const path = relative(ROOT, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [`Failed: ${path}: ${firstLine(file.message)}`];
    return failed.map(
      ({ fullName, failureMessages }) => `Failed: ${path}: ${fullName}: ${firstLine(failureMessages?.[0])}`,
    );
  });
}

/**
 * The report of a ring after its failed files ran a second time: the second result of each of them counts.
 *
 * @param {{ testResults: FileResult[] }} first
 * @param {{ testResults: FileResult[] }} second of the failed files only
 * @returns {{ testResults: FileResult[] }}
 */
export function mergeReruns(first, second) {
  const again = new Map(second.testResults.map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
}

/**
 * A line for each failure of the first run, in a file that passed when it ran a second time.
 *
 * @param {{ testResults: FileResult[] }} first
 * @param {{ testResults: FileResult[] }} second
 * @returns {string[]}
 */
export function flakyLines(first, second) {
  const passed = new Set(
    second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name),
  );
  const files = first.testResults.filter(({ name }) => passed.has(name));
  return failureLines({ testResults: files }).map((line) =>
    line.replace(/^Failed/, 'Flaky, passed in a second run'),
  );
}

/** @param {{ testResults: FileResult[] }} report @returns {string[]} paths of the files that failed */
export function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0].slice(0, SHOWN);
}
