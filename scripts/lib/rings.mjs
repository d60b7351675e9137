import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { boundToUs } from './lifeline.mjs';
import { ROOT } from './root.mjs';
import { say } from './trouble.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Runs rings of tests (projects of vitest.config.ts) one after the other, and ends with their sums on a line of their
 * own: `N passed, N failed, N skipped`.
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
  for (const ring of rings) {
    say(`\n== ${ring} ==`);
    const counts = await runRing(ring, parameters, deadline);
    for (const key of Object.keys(sums)) sums[key] += counts[key];
  }
  say(`\n${notes.join('\n')}`);
  if (sums.passed + sums.failed + sums.skipped === 0) say('No test was found.');
  console.log(summaryLine(sums));
  return sums.failed === 0 && sums.passed > 0 ? 0 : 1;
}

/** @param {Counts} counts */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * @param {string} ring @param {readonly string[]} parameters @param {number} deadline
 * @returns {Promise<Counts>}
 */
async function runRing(ring, parameters, deadline) {
  const folder = await mkdtemp(join(tmpdir(), 'ring-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const flags = ['run', '--project', ring, '--passWithNoTests', '--reporter=default', '--reporter=json'];
    const code = await runGroup(
      process.execPath,
      [vitest, ...flags, `--outputFile.json=${report}`, ...parameters],
      deadline,
    );
    const text = await readFile(report, 'utf8').catch(() => undefined);
    if (text === undefined && code === 0) return { passed: 0, failed: 0, skipped: 0 };
    const counts = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : countTests(JSON.parse(text));
    if (code !== 0 && counts.failed === 0) {
      say(`The ring ${ring} ended with code ${code} though no test failed; it counts as one failure.`);
      counts.failed = 1;
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Counts in vitest's JSON report. A file that failed before any of its tests ran counts as one failure.
 *
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
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
 * Runs a program in a process group of its own, so that nothing it started can stay behind;
 * killed with us, even by -9.
 *
 * @param {string} command @param {readonly string[]} parameters @param {number} deadline
 * @returns {Promise<number>} exit code; 124 when it ran out of time
 */
async function runGroup(command, parameters, deadline) {
  const [program, all] = boundToUs(command, parameters);
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
  if (code === 124) say('The time for the tests is over; ending them.');
  signalGroup('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupted);
  return code;
}
