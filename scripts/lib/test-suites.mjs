import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killWithParent } from './parent-process.mjs';
import {
  countTests,
  listFailedFiles,
  formatFailures,
  formatFlakyTests,
  mergeReruns,
  formatSummary,
} from './suite-report.mjs';
import { ROOT } from './root.mjs';
import { printProgress } from './user-facing-error.mjs';

const UNHANDLED_ERRORS_REPORTER = join(ROOT, 'scripts', 'lib', 'unhandled-errors-reporter.mjs');

/** @typedef {{ parameters: readonly string[], deadline: number, wrapper: readonly string[] }} SuiteOptions */

/** More failures have a common cause, which a second run would only hide. */
const MAX_RERUN_FILES = 4;

/**
 * Runs test suites (projects of vitest.config.ts) one after the other. Prints one line for each failure, and finally the
 * totals: `N passed, N failed, N skipped`.
 *
 * @param {readonly string[]} suites
 * @param {{ parameters?: readonly string[], timeoutMs: number, notes?: readonly string[],
 *   wrappers?: Record<string, readonly string[]> }} options parameters: of vitest; timeoutMs: of all suites; a suite that exceeds it
 *   is ended and counts as a failure; notes: printed before the totals; wrappers: of a suite, a command that runs its vitest
 * @returns {Promise<number>} exit code: 0 if tests ran and none failed
 */
export async function runSuites(suites, { parameters = [], timeoutMs, notes = [], wrappers = {} }) {
  const deadline = Date.now() + timeoutMs;
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const suite of suites) {
    printProgress(`\n== ${suite} ==`);
    const { counts, lines } = await runSuite(suite, { parameters, deadline, wrapper: wrappers[suite] ?? [] });
    for (const key of Object.keys(totals)) totals[key] += counts[key];
    failures.push(...lines);
  }
  printProgress(`\n${[...notes, ...failures].join('\n')}`);
  if (totals.passed + totals.failed + totals.skipped === 0) printProgress('No test was found.');
  console.log(formatSummary(totals));
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

/**
 * With `RERUN_FAILED=1` (as in CI) a few failed files run a second time, one at a time. A failure that does not recur is
 * reported as flaky and does not fail the run.
 *
 * @param {string} suite @param {SuiteOptions} options
 * @returns {Promise<{ counts: import('./suite-report.mjs').Counts, lines: string[] }>}
 */
async function runSuite(suite, options) {
  let { code, report } = await runVitest(suite, options);
  const failed = listFailedFiles(report);
  const lines = [];
  if (process.env['RERUN_FAILED'] === '1' && failed.length > 0 && failed.length <= MAX_RERUN_FILES) {
    printProgress(`\n== ${suite}: ${failed.length} failed, running them again ==`);
    const second = await runVitest(suite, { ...options, parameters: ['--maxWorkers=1', ...failed] });
    lines.push(...formatFlakyTests(report, second.report));
    report = mergeReruns(report, second.report);
    code = second.code;
  }
  const counts = countTests(report);
  lines.push(...formatFailures(report));
  if (code !== 0 && counts.failed === 0) {
    lines.push(
      `Failed: the suite ${suite} ended with code ${code} although no test failed; it counts as one failure.`,
    );
    counts.failed = 1;
  }
  return { counts, lines };
}

/**
 * @param {string} suite @param {SuiteOptions} options
 * @returns {Promise<{ code: number, report: import('./suite-report.mjs').SuiteReport }>}
 */
async function runVitest(suite, { parameters, deadline, wrapper }) {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'));
  const file = join(folder, 'report.json');
  const errorsFile = join(folder, 'unhandled-errors.json');
  try {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const flags = ['run', '--project', suite, '--passWithNoTests'];
    const reporters = ['default', 'json', UNHANDLED_ERRORS_REPORTER].map((each) => `--reporter=${each}`);
    const vitestParameters = [vitest, ...flags, ...reporters, `--outputFile.json=${file}`, ...parameters];
    const environment = { ...process.env, UNHANDLED_ERRORS_FILE: errorsFile };
    const [command = '', ...allParameters] = [...wrapper, process.execPath, ...vitestParameters];
    const code = await runGroup(command, allParameters, { environment, deadline });
    const [report, unhandledErrors] = await Promise.all([
      readFile(file, 'utf8').catch(() => '{"testResults":[]}'),
      readFile(errorsFile, 'utf8').catch(() => '[]'),
    ]);
    return { code, report: { ...JSON.parse(report), unhandledErrors: JSON.parse(unhandledErrors) } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a program in its own process group, so that all its processes can be ended. The kernel kills it with this process.
 *
 * @param {string} command @param {readonly string[]} parameters
 * @param {{ environment: NodeJS.ProcessEnv, deadline: number }} options
 * @returns {Promise<number>} exit code; 124 after the deadline
 */
async function runGroup(command, parameters, { environment, deadline }) {
  const [program, allParameters] = killWithParent(command, parameters);
  const child = spawn(program, allParameters, {
    cwd: ROOT,
    env: environment,
    stdio: 'inherit',
    detached: true,
  });
  const signalGroup = (signal) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group has ended.
    }
  };
  const killAndExit = (signal) => {
    signalGroup('SIGKILL');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, killAndExit);
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const timer = new AbortController();
  const timeout = pause(Math.max(0, deadline - Date.now()), 124, { signal: timer.signal }).catch(() => 0);
  const code = await Promise.race([ended, timeout]);
  timer.abort();
  if (code === 124) printProgress('The tests exceeded their time limit; ending them.');
  signalGroup('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, killAndExit);
  return code;
}
