import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  countTests,
  listFailedFiles,
  formatFailures,
  formatFlakyTests,
  mergeReruns,
  formatSummary,
} from './ring-report.mjs';
import { ROOT } from './root.mjs';

function buildFileResult(name, status, results, message = '') {
  const assertionResults = results.map(([each, fullName = '', ...failureMessages]) => ({
    ...{ status: each, fullName, failureMessages },
  }));
  return { name: join(ROOT, name), status, message, assertionResults };
}

const testResults = [
  buildFileResult('a.test.ts', 'passed', [['passed'], ['skipped'], ['todo']]),
  buildFileResult('b.test.ts', 'failed', [
    ['passed'],
    ['failed', 'b holds', 'Error: \u001b[31mno\u001b[39m\n    at b.ts:1:1', 'another'],
  ]),
  buildFileResult('c.test.ts', 'failed', [], "Cannot find module './c.js'\nRequire stack:"),
];

describe('the report of a ring', () => {
  it('counts every test once, and a file that failed before its tests as one failure', () => {
    expect(formatSummary(countTests({ testResults }))).toBe('2 passed, 2 failed, 2 skipped');
  });

  it('formats each failure as one line', () => {
    expect(formatFailures({ testResults })).toEqual([
      'Failed: b.test.ts: b holds: Error: no',
      "Failed: c.test.ts: Cannot find module './c.js'",
    ]);
  });

  describe('when failed files ran a second time', () => {
    const second = {
      testResults: [
        buildFileResult('b.test.ts', 'passed', [['passed'], ['passed', 'b holds']]),
        buildFileResult('c.test.ts', 'failed', [], "Cannot find module './c.js'"),
      ],
    };

    it('lists the files to run again', () => {
      expect(listFailedFiles({ testResults })).toEqual([join(ROOT, 'b.test.ts'), join(ROOT, 'c.test.ts')]);
    });

    it('counts the second result of a file, and the first of other files', () => {
      expect(formatSummary(countTests(mergeReruns({ testResults }, second)))).toBe(
        '3 passed, 1 failed, 2 skipped',
      );
    });

    it('reports a test that failed only once as flaky, with its reason', () => {
      expect(formatFlakyTests({ testResults }, second)).toEqual([
        'Flaky, passed in a second run: b.test.ts: b holds: Error: no',
      ]);
    });
  });
});
