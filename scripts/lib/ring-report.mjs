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

function firstLine(text = '') {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0].slice(0, SHOWN);
}
