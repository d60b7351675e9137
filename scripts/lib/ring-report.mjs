import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult */

const MAX_MESSAGE_LENGTH = 300;

/** @param {Counts} counts */
export function formatSummary({ passed, failed, skipped }) {
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
 * @param {{ testResults: FileResult[] }} report
 * @returns {string[]}
 */
export function formatFailures({ testResults }) {
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
 * Replaces the results of files that ran a second time.
 *
 * @param {{ testResults: FileResult[] }} first
 * @param {{ testResults: FileResult[] }} second of the failed files only
 * @returns {{ testResults: FileResult[] }}
 */
export function mergeReruns(first, second) {
  const rerunResults = new Map(second.testResults.map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => rerunResults.get(file.name) ?? file) };
}

/**
 * One line for each failure of the first run whose file passed in the second run.
 *
 * @param {{ testResults: FileResult[] }} first
 * @param {{ testResults: FileResult[] }} second
 * @returns {string[]}
 */
export function formatFlakyTests(first, second) {
  const passed = new Set(
    second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name),
  );
  const files = first.testResults.filter(({ name }) => passed.has(name));
  return formatFailures({ testResults: files }).map((line) =>
    line.replace(/^Failed/, 'Flaky, passed in a second run'),
  );
}

/** @param {{ testResults: FileResult[] }} report @returns {string[]} paths of the files that failed */
export function listFailedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0].slice(0, MAX_MESSAGE_LENGTH);
}
