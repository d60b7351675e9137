import { type ChildProcess, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { stopProcess, findFreePort, waitForOutput, spawnBoundToParent } from './child-process.js';
import { TEST_DATA_DIR } from './postgres.js';
import { THIS_HOST, type TestHost } from './test-host.js';

const runFile = promisify(execFile);

/** The supervisor is plain JavaScript without types. */
const { prepareNativeBinaries } = (await import(
  new URL('../../libs/database/src/embedded/supervisor/native-binaries.mjs', import.meta.url).href
)) as { prepareNativeBinaries: (user: object, copiesFolder: string) => Promise<string> };

/** Stays between runs, like the server that most tests share. */
const SHARED_FOLDER = `${TEST_DATA_DIR}-private`;
const READY_MS = 60_000;
const NOBODY = 65_534;
/** The server refuses to run as root. */
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

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
  await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
  const native = await prepareNativeBinaries(USER, SHARED_FOLDER);
  const data = join(folder ?? home, 'data');
  await mkdir(data, { mode: 0o700, recursive: true });
  if (USER.uid !== undefined) {
    await chown(data, NOBODY, NOBODY);
    await chown(home, NOBODY, NOBODY);
    if (folder !== undefined) await chown(folder, NOBODY, NOBODY);
  }
  const run = (program: string, args: string[]) =>
    spawnBoundToParent(
      join(native, 'bin', program),
      args,
      { ...USER, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] },
      host,
    );

  if (!existsSync(join(data, 'PG_VERSION')))
    await runFile('cp', ['-a', `${await ensureEmptyCluster(native)}/.`, data]);
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

/** Creates the cluster that servers start with, once for each version of the programs. @returns its folder */
async function ensureEmptyCluster(native: string): Promise<string> {
  const initdb = join(native, 'bin', 'initdb');
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { stdout: version } = await runFile(initdb, ['--version'], { ...USER, cwd: '/' });
  const key = createHash('sha256')
    .update(version + options.join(' '))
    .digest('hex');
  const cluster = join(SHARED_FOLDER, `cluster-${key.slice(0, 12)}`);
  if (existsSync(cluster)) return cluster;
  const draft = await mkdtemp(join(SHARED_FOLDER, 'draft-'));
  if (USER.uid !== undefined) await chown(draft, NOBODY, NOBODY);
  await runFile(initdb, ['-D', join(draft, 'data'), ...options], { ...USER, cwd: draft });
  // Another process may have created it meanwhile.
  await rename(join(draft, 'data'), cluster).catch((error: unknown) => {
    if (!existsSync(cluster)) throw error;
  });
  await rm(draft, { recursive: true, force: true });
  return cluster;
}
