import { fork } from 'node:child_process';
import { printProgress } from './user-facing-error.mjs';

/**
 * Runs at most one process of a program, and restarts it on request. The process ends with this one, because their IPC
 * channel closes. After an exit of its own it starts again with the next restart.
 *
 * @param {string} file @param {{ killMs: number, env?: NodeJS.ProcessEnv, inspectPort?: number }} options killMs: after which
 *   one that was told to stop is killed
 */
export function createRestartableProgram(file, { killMs, env = process.env, inspectPort }) {
  const execArgv = ['--enable-source-maps'];
  if (inspectPort !== undefined) execArgv.push(`--inspect=127.0.0.1:${inspectPort}`);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let isRestarting = false;
  let isStopped = false;

  function start() {
    isRestarting = false;
    // Detached, so that SIGINT of the terminal reaches only this process.
    child = fork(file, [], { env, execArgv, detached: true });
    child.once('exit', (code, signal) => {
      child = undefined;
      if (isRestarting && !isStopped) start();
      else if (!isStopped)
        printProgress(`${file} ended (${signal ?? code}); it starts again after the next change.`);
    });
  }

  return {
    restart() {
      if (isStopped) return;
      if (!child) return start();
      isRestarting = true;
      child.kill('SIGTERM');
    },
    /** @returns {Promise<void>} resolves after the exit */
    async stop() {
      isStopped = true;
      const running = child;
      if (!running) return;
      running.kill('SIGTERM');
      // A debugger that has paused it also holds its handler of SIGTERM.
      const timer = setTimeout(() => running.kill('SIGKILL'), killMs);
      await new Promise((resolve) => running.once('exit', resolve));
      clearTimeout(timer);
    },
  };
}
