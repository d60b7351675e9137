import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult */
/** @typedef {{ message: string, stack?: string, file?: string }} UnhandledError file: whose tests ran at that time */
/** @typedef {{ testResults: FileResult[], unhandledErrors?: UnhandledError[] }} SuiteReport */

const MAX_MESSAGE_LENGTH = 300;

/** @param {Counts} counts */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * A file that failed before any of its tests ran counts as one failure, and so does each unhandled error.
 *
 * @param {SuiteReport} report
 * @returns {Counts}
 */
export function countTests({ testResults, unhandledErrors = [] }) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const file of testResults) {
    let failedInFile = 0;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') failedInFile += 1;
      else counts.skipped += 1;
    }
    counts.failed += failedInFile || (file.status === 'failed' ? 1 : 0);
  }
  return counts;
}

/**
 * One line for each failure that `countTests` counts, for the end of a long output.
 *
 * @param {SuiteReport} report
 * @returns {string[]}
 */
export function formatFailures({ testResults, unhandledErrors = [] }) {
  const errors = unhandledErrors.map(
    ({ file, message, stack }) =>
      `Failed: ${file ? relative(ROOT, file) : 'a file of the run'}: unhandled error: ${firstLine(message)}${describePosition(stack)}`,
  );
  const tests = testResults.flatMap((file) => {
    const path = relative(ROOT, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [`Failed: ${path}: ${firstLine(file.message)}`];
    return failed.map(
      ({ fullName, failureMessages }) => `Failed: ${path}: ${fullName}: ${firstLine(failureMessages?.[0])}`,
    );
  });
  return [...tests, ...errors];
}

/**
 * Replaces the results and errors of files that ran a second time.
 *
 * @param {SuiteReport} first
 * @param {SuiteReport} second of the failed files only
 * @returns {SuiteReport}
 */
export function mergeReruns(first, second) {
  const rerunResults = new Map(second.testResults.map((file) => [file.name, file]));
  const unrepeated = (first.unhandledErrors ?? []).filter(({ file }) => !file || !rerunResults.has(file));
  return {
    testResults: first.testResults.map((file) => rerunResults.get(file.name) ?? file),
    unhandledErrors: [...unrepeated, ...(second.unhandledErrors ?? [])],
  };
}

/**
 * One line for each failure of the first run whose file passed in the second run.
 *
 * @param {SuiteReport} first
 * @param {SuiteReport} second
 * @returns {string[]}
 */
export function formatFlakyTests(first, second) {
  const failedAgain = new Set(listFailedFiles(second));
  const passed = new Set(second.testResults.map(({ name }) => name).filter((name) => !failedAgain.has(name)));
  const testResults = first.testResults.filter(({ name }) => passed.has(name));
  const unhandledErrors = first.unhandledErrors?.filter(({ file }) => file && passed.has(file));
  return formatFailures({ testResults, unhandledErrors }).map((line) =>
    line.replace(/^Failed/, 'Flaky, passed in a second run'),
  );
}

/** @param {SuiteReport} report @returns {string[]} paths of the files that failed or had an unhandled error */
export function listFailedFiles({ testResults, unhandledErrors = [] }) {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return [...new Set([...failed, ...unhandledErrors.flatMap(({ file }) => file ?? [])])];
}

/** Where our own code comes first in a stack. */
function describePosition(stack = '') {
  const line = stack.split('\n').find((each) => each.includes(ROOT) && !each.includes('node_modules'));
  return line ? ` (${line.trim().replaceAll(`${ROOT}/`, '')})` : '';
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0].slice(0, MAX_MESSAGE_LENGTH);
}
