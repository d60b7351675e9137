import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  countTests,
  listFailedFiles,
  formatFailures,
  formatFlakyTests,
  mergeReruns,
  formatSummary,
} from './suite-report.mjs';
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

describe('the report of a suite', () => {
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

  describe('an error that no test caught', () => {
    const passed = buildFileResult('d.test.ts', 'passed', [['passed', 'd holds']]);
    const stack = `Error: late\n    at node_modules/pg/client.js:1:1\n    at Watcher.stop (${ROOT}/libs/a.ts:7:3)`;
    const first = {
      testResults: [passed],
      unhandledErrors: [
        { message: 'Error: late', stack, file: passed.name },
        { message: 'Error: of nobody' },
      ],
    };

    it('counts as a failure, and its line says where it came from', () => {
      expect(formatSummary(countTests(first))).toBe('1 passed, 2 failed, 0 skipped');
      expect(formatFailures(first)).toEqual([
        'Failed: d.test.ts: unhandled error: Error: late (at Watcher.stop (libs/a.ts:7:3))',
        'Failed: a file of the run: unhandled error: Error: of nobody',
      ]);
    });

    it('is flaky if its file runs a second time without it; without a file it stays a failure', () => {
      expect(listFailedFiles(first)).toEqual([passed.name]);
      const second = { testResults: [passed] };
      expect(formatSummary(countTests(mergeReruns(first, second)))).toBe('1 passed, 1 failed, 0 skipped');
      expect(formatFlakyTests(first, second)).toEqual([
        'Flaky, passed in a second run: d.test.ts: unhandled error: Error: late (at Watcher.stop (libs/a.ts:7:3))',
      ]);
    });
  });
});
