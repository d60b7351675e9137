import { spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processMark } from './process-lock.mjs';
import { PLAIN_ENVIRONMENT, run } from './run.mjs';

const READY_TIMEOUT_MS = 60_000;
/** Signals that stop the server, each with the time to wait before the next one. */
const STOP_SIGNALS = /** @type {const} */ ([
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]);

/**
 * Starts Postgres on a cluster and waits until it accepts connections.
 *
 * @param {{ native: string, cluster: string, port: number, user: import('./run.mjs').ServerUser, logFile: string,
 *   durable: boolean }} options
 * @returns {Promise<{ pid: number, exited: Promise<void>, stop(): Promise<void> }>}
 * @throws if the server exits or does not become ready; the message contains its last error
 */
export async function startServer({ native, cluster, port, user, logFile, durable }) {
  await stopOrphan(cluster);
  const program = join(native, 'bin', 'postgres');
  const parameters = ['-D', cluster, ...settings(port, durable)];
  const [command, ...rest] = (await supportsParentDeathSignal())
    ? ['setpriv', '--pdeathsig', 'INT', program]
    : [program];
  const log = await open(logFile, 'a', 0o600);
  const { size: logStart } = await log.stat();
  const child = spawn(command, [...rest, ...parameters], {
    ...user,
    cwd: '/',
    env: PLAIN_ENVIRONMENT,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  await log.close();

  const gone = { yes: child.pid === undefined };
  void exited.then(() => (gone.yes = true));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!gone.yes && Date.now() < deadline) {
    const { pid, status } = await readPidFile(cluster);
    if (pid !== undefined && pid === child.pid && status === 'ready') {
      return { pid, exited, stop: () => stopProcess(pid, () => gone.yes) };
    }
    await Promise.race([exited, pause(15)]);
  }
  if (!gone.yes && child.pid) await stopProcess(child.pid, () => gone.yes);
  const newLog = (await readFile(logFile, 'utf8')).slice(logStart);
  throw new Error(`Postgres did not start: ${extractError(newLog)}`);
}

/**
 * Stops the server that a killed supervisor left on this cluster, and removes the pid file of a dead one. Its process
 * id may belong to another program by now, which Postgres would take for a running server and refuse to start.
 *
 * @param {string} cluster
 */
export async function stopOrphan(cluster) {
  const { pid } = await readPidFile(cluster);
  if (pid === undefined) return;
  if (await isServerOf(pid, cluster)) {
    const mark = await processMark(pid);
    const gone = { yes: false };
    const watch = async () => (gone.yes = (await processMark(pid)) !== mark);
    await stopProcess(pid, () => gone.yes, watch);
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** @param {number} pid @param {string} cluster */
async function isServerOf(pid, cluster) {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(cluster);
  }
  return (await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).output.includes(cluster);
}

/**
 * @param {number} pid @param {() => boolean} isGone
 * @param {() => Promise<unknown>} [watch] updates the result of `isGone` for a process that is not a child
 */
async function stopProcess(pid, isGone, watch = async () => undefined) {
  for (const [signal, timeoutMs] of STOP_SIGNALS) {
    await watch();
    if (isGone()) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + timeoutMs;
    while (!isGone() && Date.now() < deadline) {
      await pause(20);
      await watch();
    }
  }
}

/** @param {string} cluster */
async function readPidFile(cluster) {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return { pid: pid > 0 ? pid : undefined, status: lines[7]?.trim() };
}

/** Whether the system can signal a child when its parent dies. */
async function supportsParentDeathSignal() {
  return process.platform === 'linux' && (await run('setpriv', ['--pdeathsig', 'INT', 'true'])).code === 0;
}

/** @param {number} port @param {boolean} durable */
function settings(port, durable) {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    max_wal_size: '512MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    jit: 'off',
    huge_pages: 'off',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    ...(!durable && { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** @param {string} log of the server */
function extractError(log) {
  const lines = log.trim().split('\n');
  const fatal = lines.findLastIndex((line) => /\b(FATAL|PANIC|ERROR):/.test(line));
  // The next line often explains the error (DETAIL) or its solution (HINT).
  const message = lines.slice(fatal).slice(0, 2).map(withoutPrefix);
  return message.filter(Boolean).join(' ') || 'no message';
}

/** @param {string} line */
function withoutPrefix(line) {
  return line.replace(/^.*?\b(?=[A-Z]+: )/, '').trim();
}
