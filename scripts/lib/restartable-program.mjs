import { fork } from 'node:child_process';
import { printProgress } from './user-facing-error.mjs';

/**
 * A program that is restarted on request and never runs twice. It ends on SIGTERM, and with this process, as it holds an
 * IPC channel. A program that ends on its own waits for the next restart.
 *
 * @param {string} file @param {{ env?: NodeJS.ProcessEnv, inspectPort?: number }} [options]
 */
export function createRestartableProgram(file, { env = process.env, inspectPort } = {}) {
  const execArgv = ['--enable-source-maps'];
  if (inspectPort !== undefined) execArgv.push(`--inspect=127.0.0.1:${inspectPort}`);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let isWanted = false;
  let isStopped = false;

  function start() {
    isWanted = false;
    // Detached, so that SIGINT of the terminal reaches only this process.
    child = fork(file, [], { env, execArgv, detached: true });
    child.once('exit', (code, signal) => {
      child = undefined;
      if (isWanted && !isStopped) start();
      else if (!isStopped)
        printProgress(`${file} ended (${signal ?? code}); it starts again after the next change.`);
    });
  }

  return {
    /** Starts it, or ends and starts it when it runs. */
    restart() {
      if (isStopped) return;
      if (!child) return start();
      isWanted = true;
      child.kill('SIGTERM');
    },
    /** @returns {Promise<void>} resolves when it has ended */
    async stop() {
      isStopped = true;
      const running = child;
      if (!running) return;
      running.kill('SIGTERM');
      await new Promise((resolve) => running.once('exit', resolve));
    },
  };
}
