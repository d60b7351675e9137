import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { THIS_HOST, type TestHost } from './test-host.js';

/** The first ephemeral port of Linux; other systems have higher ones. */
const FIRST_EPHEMERAL_PORT = 32_768;
const FIRST_PORT = 20_000;
const MAX_PORT_TRIES = 50;

const boundChildren = new Set<ChildProcess>();
const endBoundChildren = () => {
  for (const child of boundChildren) child.kill('SIGKILL');
};

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));

/**
 * Starts a program that ends when this process ends, `kill -9` included. On systems without `setpriv`
 * it only ends when this process exits normally.
 * @param host only this one on systems without `setpriv`
 */
export function spawnBoundToParent(
  command: string,
  args: string[],
  options: SpawnOptions,
  host: TestHost = THIS_HOST,
): ChildProcess {
  const bound = SETPRIV ? [SETPRIV, '--pdeathsig', 'KILL', command, ...args] : [command, ...args];
  const child = host.enter.length > 0 ? spawnOnHost(host, bound, options) : spawnCommand(bound, options);
  if (boundChildren.size === 0) process.once('exit', endBoundChildren);
  boundChildren.add(child);
  child.once('exit', () => {
    boundChildren.delete(child);
    if (boundChildren.size === 0) process.off('exit', endBoundChildren);
  });
  return child;
}

/** Only root enters a host, so the user is changed afterwards, and that clears the signal of `--pdeathsig`. */
function spawnOnHost(
  { enter }: TestHost,
  bound: readonly string[],
  { uid, gid, ...options }: SpawnOptions,
): ChildProcess {
  const asUser =
    uid === undefined ? [] : ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'];
  return spawnCommand([...enter, ...asUser, ...bound], options);
}

function spawnCommand([command = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(command, args, options);
}

/** Sends the signal and waits for the end of the program; resolves at once if it never started. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Resolves when the program has printed a matching line; rejects with its output when it exits or the time is over. */
export function waitForOutput(child: ChildProcess, line: RegExp, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (error?: Error) => {
      clearTimeout(timer);
      child.off('error', settle).off('close', onClose);
      if (error) reject(error);
      else resolve();
    };
    // `exit` may precede the last output: `close` follows both.
    const onClose = () => settle(new Error(`ended before it was ready:\n${text}`));
    const timer = setTimeout(() => settle(new Error(`not ready after ${withinMs} ms:\n${text}`)), withinMs);
    const onData = (data: Buffer) => {
      text = (text + data.toString()).slice(-8_000);
      if (line.test(text)) settle();
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('error', settle).once('close', onClose);
  });
}

/**
 * A loopback port that was free a moment ago. It is not an ephemeral port, because an outgoing connection could take
 * such a port while a server restarts on it.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_PORT_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, FIRST_EPHEMERAL_PORT);
    if (await canListen(port)) return port;
  }
  throw new Error('no free port');
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
