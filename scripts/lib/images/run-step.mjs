import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInterruptibly } from '../interruption.mjs';
import { ROOT } from '../root.mjs';
import { UserFacingError } from '../user-facing-error.mjs';

const run = promisify(execFile);
const STEP_MS = 40 * 60_000;
/** In which a program that was asked to end may clean up. */
const END_MS = 20_000;
const MAX_OUTPUT_LENGTH = 4_000;
/** Not a session of its own, as Node would make it: CI gives the lowest priority to this session. */
const IN_GROUP_OF_ITS_OWN = ['perl', '-e', 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV or die "$!\n"'];

/**
 * Runs a step of a build. A signal to this process ends it with all that it has started.
 *
 * @param {string} command @param {string[]} parameters @param {string} [cwd]
 * @returns {Promise<string>} its output
 * @throws UserFacingError with the end of its output; Interruption after a signal
 */
export function runStep(command, parameters, cwd = ROOT) {
  const [program = '', ...before] = IN_GROUP_OF_ITS_OWN;
  return runInterruptibly(async (signal) => {
    const step = run(program, [...before, command, ...parameters], { cwd, maxBuffer: 512 * 2 ** 20 });
    let killTimer;
    const end = () => {
      signalGroup(step.child, 'SIGTERM');
      killTimer ??= setTimeout(() => signalGroup(step.child, 'SIGKILL'), END_MS);
    };
    signal.addEventListener('abort', end);
    const stepTimer = setTimeout(end, STEP_MS);
    try {
      return (await step).stdout;
    } catch ({ stdout = '', stderr = '' }) {
      const output = `${stdout.slice(-MAX_OUTPUT_LENGTH)}\n${stderr.slice(-MAX_OUTPUT_LENGTH)}`;
      const problem = killTimer ? `did not end within ${STEP_MS / 60_000} minutes` : 'failed';
      throw new UserFacingError(`${[command, ...parameters].join(' ')} ${problem}.`, output);
    } finally {
      clearTimeout(stepTimer);
      clearTimeout(killTimer);
      // What outlives its leader.
      if (killTimer) signalGroup(step.child, 'SIGKILL');
    }
  });
}

/** @param {import('node:child_process').ChildProcess} leader @param {NodeJS.Signals} signal */
function signalGroup(leader, signal) {
  try {
    if (leader.pid !== undefined) process.kill(-leader.pid, signal);
  } catch {
    // The group has ended, or the leader has not made it yet.
    leader.kill(signal);
  }
}
