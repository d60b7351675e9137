import { spawn } from 'node:child_process';
import { runInterruptibly } from '../interruption.mjs';
import { ROOT } from '../root.mjs';
import { UserFacingError } from '../user-facing-error.mjs';

const STEP_MS = 40 * 60_000;
/** In which a program that was asked to end may clean up. */
const END_MS = 20_000;
const MAX_OUTPUT_LENGTH = 4_000;

/**
 * Runs a step of a build. A signal to this process ends it with all that it has started.
 *
 * @param {string} command @param {string[]} parameters @param {string} [cwd]
 * @returns {Promise<string>} its output
 * @throws UserFacingError with the end of its output; Interruption after a signal
 */
export function runStep(command, parameters, cwd = ROOT) {
  return runInterruptibly(async (signal) => {
    // Detached, so that it leads a group, to which signals go.
    const step = spawn(command, parameters, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let killTimer;
    const end = () => {
      signalGroup(step, 'SIGTERM');
      killTimer ??= setTimeout(() => signalGroup(step, 'SIGKILL'), END_MS);
    };
    signal.addEventListener('abort', end);
    const stepTimer = setTimeout(end, STEP_MS);
    const { code, stdout, stderr } = await waitForEnd(step);
    clearTimeout(stepTimer);
    clearTimeout(killTimer);
    // What outlives its leader.
    if (killTimer) signalGroup(step, 'SIGKILL');
    if (code === 0) return stdout;
    const output = `${stdout.slice(-MAX_OUTPUT_LENGTH)}\n${stderr.slice(-MAX_OUTPUT_LENGTH)}`;
    const problem = killTimer ? `did not end within ${STEP_MS / 60_000} minutes` : 'failed';
    throw new UserFacingError(`${[command, ...parameters].join(' ')} ${problem}.`, output);
  });
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} step
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} code: null after a signal; 127 if it could not be started
 */
function waitForEnd(step) {
  const printed = { stdout: '', stderr: '' };
  step.stdout.setEncoding('utf8').on('data', (text) => (printed.stdout += text));
  step.stderr.setEncoding('utf8').on('data', (text) => (printed.stderr += text));
  return new Promise((resolve) => {
    step.once('error', ({ message }) => resolve({ code: 127, stdout: '', stderr: message }));
    step.once('close', (code) => resolve({ code, ...printed }));
  });
}

/** @param {import('node:child_process').ChildProcess} leader @param {NodeJS.Signals} signal */
function signalGroup(leader, signal) {
  try {
    if (leader.pid !== undefined) process.kill(-leader.pid, signal);
  } catch {
    // The group has ended.
  }
}
