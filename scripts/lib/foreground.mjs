import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { GIVES_BACK } from './memory.mjs';
import { ROOT } from './root.mjs';

/**
 * Runs a built program as if it were this one: same terminal, signals passed on, its exit code returned. It holds an
 * open channel to us, so it can tell when we are gone, however that came.
 *
 * @param {string} program @param {readonly string[]} parameters
 * @returns {Promise<number>} 128 + the signal's number when a signal ended it, as a shell says it
 */
export function runInForeground(program, parameters) {
  return new Promise((resolve, reject) => {
    const child = fork(program, parameters, {
      cwd: process.cwd(),
      // Whoever set it otherwise has a reason.
      env: { ...GIVES_BACK, ...process.env },
      stdio: 'inherit',
      execArgv: ['--enable-source-maps'],
    });
    const pass = (signal) => {
      // The terminal sends its interrupt to the whole group; a second one would look like impatience.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** @param {'admin' | 'api' | 'processor'} app */
export function builtProgram(app) {
  return `${ROOT}/dist/apps/${app}/src/main.js`;
}
