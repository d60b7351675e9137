import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  countTests,
  failedFiles,
  failureLines,
  flakyLines,
  mergeReruns,
  summaryLine,
} from './ring-report.mjs';
import { ROOT } from './root.mjs';

function file(name, status, results, message = '') {
  const assertionResults = results.map(([each, fullName = '', ...failureMessages]) => ({
    ...{ status: each, fullName, failureMessages },
  }));
  return { name: join(ROOT, name), status, message, assertionResults };
}

const testResults = [
  file('a.test.ts', 'passed', [['passed'], ['skipped'], ['todo']]),
  file('b.test.ts', 'failed', [
    ['passed'],
    ['failed', 'b holds', 'Error: \u001b[31mno\u001b[39m\n    at b.ts:1:1', 'another'],
  ]),
  file('c.test.ts', 'failed', [], "Cannot find module './c.js'\nRequire stack:"),
];

describe('the report of a ring', () => {
  it('counts every test once, and a file that never got to its tests as a failure', () => {
    expect(summaryLine(countTests({ testResults }))).toBe('2 passed, 2 failed, 2 skipped');
  });

  it('tells each failure in a line', () => {
    expect(failureLines({ testResults })).toEqual([
      'Failed: b.test.ts: b holds: Error: no',
      "Failed: c.test.ts: Cannot find module './c.js'",
    ]);
  });

  describe('when failed files ran a second time', () => {
    const second = {
      testResults: [
        file('b.test.ts', 'passed', [['passed'], ['passed', 'b holds']]),
        file('c.test.ts', 'failed', [], "Cannot find module './c.js'"),
      ],
    };

    it('names the files to run again', () => {
      expect(failedFiles({ testResults })).toEqual([join(ROOT, 'b.test.ts'), join(ROOT, 'c.test.ts')]);
    });

    it('counts the second result of a file, and leaves the other files as they were', () => {
      expect(summaryLine(countTests(mergeReruns({ testResults }, second)))).toBe(
        '3 passed, 1 failed, 2 skipped',
      );
    });

    it('reports what failed only once as flaky, with its reason', () => {
      expect(flakyLines({ testResults }, second)).toEqual([
        'Flaky, passed in a second run: b.test.ts: b holds: Error: no',
      ]);
    });
  });
});
