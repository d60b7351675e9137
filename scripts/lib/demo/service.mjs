import { fork } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lastLine } from '../command.mjs';
import { builtProgramPath } from '../foreground.mjs';
import { UserFacingError } from '../user-facing-error.mjs';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 35_000;

/**
 * Starts the service in its own session, so that SIGINT of the terminal reaches only this process. The service ends when
 * its IPC channel closes.
 *
 * @param {{ dataDir: string, port: number, env?: Record<string, string> }} options env: additional variables
 */
export async function startService({ dataDir, port, env }) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const logFile = join(dataDir, 'demo.log');
  await writeFile(logFile, '', { mode: 0o600 });
  const log = await open(logFile, 'a');
  const child = fork(builtProgramPath('admin'), ['start'], {
    detached: true,
    // The demo should stop quickly also during a long recording; its job continues at the next start.
    env: {
      SHUTDOWN_SECONDS: '3',
      DEVELOPMENT_ACCOUNT: 'true',
      ...process.env,
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  await log.close();
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', () => resolve(undefined));
  });
  const state = { ended: false };
  void ended.then(() => (state.ended = true));
  return { child, ended, state, logFile };
}

/**
 * @param {Awaited<ReturnType<typeof startService>>} service
 * @param {string} base @param {AbortSignal} signal
 */
export async function waitUntilReady({ state, logFile }, base, signal) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (state.ended) {
      const log = await readFile(logFile, 'utf8');
      throw new UserFacingError(`The service did not start: ${lastLine(log)} (complete log: ${logFile})`);
    }
    const response = await fetch(`${base}/health/ready`, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await pause(200, undefined, { signal });
  }
  throw new UserFacingError(
    `The service was not ready after ${READY_TIMEOUT_MS / 1000} seconds; see ${logFile}`,
  );
}

/** Sends SIGTERM, and after a timeout SIGKILL. @param {Awaited<ReturnType<typeof startService>>} service */
export async function stopService({ child, ended }) {
  child.kill('SIGTERM');
  const timer = new AbortController();
  const timeout = pause(STOP_TIMEOUT_MS, 'late', { signal: timer.signal }).catch(() => undefined);
  if ((await Promise.race([ended, timeout])) === 'late' && child.pid) process.kill(-child.pid, 'SIGKILL');
  timer.abort();
}
