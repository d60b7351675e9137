import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killWithParent } from './parent-process.mjs';
import {
  countTests,
  failedFiles,
  failureLines,
  flakyLines,
  mergeReruns,
  summaryLine,
} from './ring-report.mjs';
import { ROOT } from './root.mjs';
import { printProgress } from './user-facing-error.mjs';

/** More than these fail for a common reason, which a second run would only hide. */
const MAX_RERUN_FILES = 4;

/**
 * Runs rings of tests (projects of vitest.config.ts) one after the other, and ends with what failed, a line each, and
 * with their sums on a line of their own: `N passed, N failed, N skipped`.
 *
 * @param {readonly string[]} rings
 * @param {{ parameters?: readonly string[], limitMs: number, notes?: readonly string[] }} options parameters go to
 *   vitest; a ring still running when the limit for all is over is ended and counts as a failure; notes are shown
 *   before the sums
 * @returns {Promise<number>} exit code: 0 when tests ran and none failed
 */
export async function runRings(rings, { parameters = [], limitMs, notes = [] }) {
  const deadline = Date.now() + limitMs;
  const sums = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const ring of rings) {
    printProgress(`\n== ${ring} ==`);
    const { counts, lines } = await runRing(ring, parameters, deadline);
    for (const key of Object.keys(sums)) sums[key] += counts[key];
    failures.push(...lines);
  }
  printProgress(`\n${[...notes, ...failures].join('\n')}`);
  if (sums.passed + sums.failed + sums.skipped === 0) printProgress('No test was found.');
  console.log(summaryLine(sums));
  return sums.failed === 0 && sums.passed > 0 ? 0 : 1;
}

/**
 * With `RERUN_FAILED=1` (as in CI) the files that failed run a second time, alone, if they are few: a failure that
 * does not come back is reported as flaky instead of ending a run of many minutes.
 *
 * @param {string} ring @param {readonly string[]} parameters @param {number} deadline
 * @returns {Promise<{ counts: import('./ring-report.mjs').Counts, lines: string[] }>}
 */
async function runRing(ring, parameters, deadline) {
  let { code, report } = await runVitest(ring, parameters, deadline);
  const failed = failedFiles(report);
  const lines = [];
  if (process.env['RERUN_FAILED'] === '1' && failed.length > 0 && failed.length <= MAX_RERUN_FILES) {
    printProgress(`\n== ${ring}: ${failed.length} failed, once more by themselves ==`);
    const second = await runVitest(ring, ['--maxWorkers=1', ...failed], deadline);
    lines.push(...flakyLines(report, second.report));
    report = mergeReruns(report, second.report);
    code = second.code;
  }
  const counts = countTests(report);
  lines.push(...failureLines(report));
  if (code !== 0 && counts.failed === 0) {
    lines.push(
      `Failed: the ring ${ring} ended with code ${code} though no test failed; one failure is counted.`,
    );
    counts.failed = 1;
  }
  return { counts, lines };
}

/**
 * @param {string} ring @param {readonly string[]} parameters @param {number} deadline
 * @returns {Promise<{ code: number, report: { testResults: import('./ring-report.mjs').FileResult[] } }>}
 */
async function runVitest(ring, parameters, deadline) {
  const folder = await mkdtemp(join(tmpdir(), 'ring-'));
  const file = join(folder, 'report.json');
  try {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const flags = ['run', '--project', ring, '--passWithNoTests', '--reporter=default', '--reporter=json'];
    const all = [vitest, ...flags, `--outputFile.json=${file}`, ...parameters];
    const code = await runGroup(process.execPath, all, deadline);
    const text = await readFile(file, 'utf8').catch(() => '{"testResults":[]}');
    return { code, report: JSON.parse(text) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a program in a process group of its own, so that nothing it started can stay behind;
 * killed with us, even by -9.
 *
 * @param {string} command @param {readonly string[]} parameters @param {number} deadline
 * @returns {Promise<number>} exit code; 124 when it ran out of time
 */
async function runGroup(command, parameters, deadline) {
  const [program, all] = killWithParent(command, parameters);
  const child = spawn(program, all, { cwd: ROOT, stdio: 'inherit', detached: true });
  const signalGroup = (signal) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group is gone.
    }
  };
  const interrupted = (signal) => {
    signalGroup('SIGKILL');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupted);
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const patience = new AbortController();
  const late = pause(Math.max(0, deadline - Date.now()), 124, { signal: patience.signal }).catch(() => 0);
  const code = await Promise.race([ended, late]);
  patience.abort();
  if (code === 124) printProgress('The time for the tests is over; ending them.');
  signalGroup('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupted);
  return code;
}
