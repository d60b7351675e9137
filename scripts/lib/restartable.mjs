import { fork } from 'node:child_process';
import { say } from './trouble.mjs';

/**
 * A program that is started again on request, never two of it at a time. It gets SIGTERM and ends by itself when we are
 * gone, as it holds a channel to us. One that ends on its own waits for the next restart.
 *
 * @param {string} file @param {{ env?: NodeJS.ProcessEnv, inspectPort?: number }} [options]
 */
export function restartable(file, { env = process.env, inspectPort } = {}) {
  const execArgv = ['--enable-source-maps'];
  if (inspectPort !== undefined) execArgv.push(`--inspect=127.0.0.1:${inspectPort}`);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let isWanted = false;
  let isStopped = false;

  function start() {
    isWanted = false;
    // Detached, so that an interrupt of the terminal reaches only us.
    child = fork(file, [], { env, execArgv, detached: true });
    child.once('exit', (code, signal) => {
      child = undefined;
      if (isWanted && !isStopped) start();
      else if (!isStopped) say(`${file} ended (${signal ?? code}); it starts again after the next change.`);
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
