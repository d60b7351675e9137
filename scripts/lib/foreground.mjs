import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { MALLOC_TRIM_ENV } from './malloc-trim-env.mjs';
import { ROOT } from './root.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a built program in this terminal, forwards signals and returns its exit code. The program ends with this process,
 * because their IPC channel closes.
 *
 * @param {string} program @param {readonly string[]} parameters
 * @returns {Promise<number>} 128 + the signal number if a signal ended it, as in a shell
 */
export function runInForeground(program, parameters) {
  return new Promise((resolve, reject) => {
    const child = fork(program, parameters, {
      cwd: process.cwd(),
      // The environment has priority.
      env: { ...MALLOC_TRIM_ENV, ...process.env },
      stdio: 'inherit',
      execArgv: ['--enable-source-maps'],
    });
    const forwardSignal = (signal) => {
      // The terminal sends SIGINT to the whole group; a second one would force the exit.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forwardSignal);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const each of SIGNALS) process.off(each, forwardSignal);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/** @param {'admin' | 'api' | 'processor'} app */
export function builtProgramPath(app) {
  return `${ROOT}/dist/apps/${app}/src/main.js`;
}
