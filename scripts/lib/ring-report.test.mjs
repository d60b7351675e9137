import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countTests, failureLines, summaryLine } from './ring-report.mjs';
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
});
