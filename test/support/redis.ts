import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopProcess, findFreePort, waitForOutput, spawnBoundToParent } from './child-process.js';
import { THIS_HOST, type TestHost } from './test-host.js';

const READY_MS = 60_000;

export class RedisNotInstalledError extends Error {
  override readonly name = 'RedisNotInstalledError';

  constructor() {
    super('redis-server is not installed: `apt-get install redis-server` or `brew install redis`');
  }
}

/** A Redis of one test: without persistence, ends with the test process. */
export interface PrivateRedis {
  readonly url: string;
  /** Kills the server like `kill -9`; all data is lost. */
  stop(): Promise<void>;
  /** Suspends the server: connections stay open and silent until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts it again, empty, on the same port; a running server is stopped first. */
  restart(): Promise<void>;
}

/**
 * @param logFolder enables the append-only file in this folder, to test a full disk
 * @throws RedisNotInstalledError if `redis-server` is not installed
 */
export async function startRedis(logFolder?: string, host = THIS_HOST): Promise<PrivateRedis> {
  const port = await findFreePort();
  let server = await launch(port, host, logFolder);
  const stop = async () => {
    await stopProcess(server.child, 'SIGKILL');
    await rm(server.folder, { recursive: true, force: true });
  };
  const restart = async () => {
    await stop();
    server = await launch(port, host, logFolder);
  };
  return {
    url: `redis://${host.address}:${port}`,
    stop,
    restart,
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
  };
}

async function launch(
  port: number,
  host: TestHost,
  logFolder?: string,
): Promise<{ child: ChildProcess; folder: string }> {
  const folder = await mkdtemp(join(logFolder ?? tmpdir(), 'redis-'));
  const settings = [
    '--port',
    String(port),
    '--bind',
    host.address,
    // Otherwise it refuses connections from other hosts, as it has no password.
    '--protected-mode',
    'no',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    logFolder === undefined ? 'no' : 'yes',
    '--appendfsync',
    'everysec',
  ];
  const child = spawnBoundToParent('redis-server', settings, { stdio: ['ignore', 'pipe', 'pipe'] }, host);
  try {
    await waitForOutput(child, /Ready to accept connections/, READY_MS);
    return { child, folder };
  } catch (error) {
    await stopProcess(child, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw isMissing(error) ? new RedisNotInstalledError() : error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // `setpriv` reports a missing program in its message, a direct start with a code.
  return ('code' in error && error.code === 'ENOENT') || /redis-server: No such file/.test(error.message);
}
