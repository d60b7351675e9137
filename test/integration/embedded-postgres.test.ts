import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  acquireEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../libs/database/src/embedded/acquire-embedded-postgres.js';
import {
  type Claimant,
  type ClaimantProgram,
  compileClaimant,
  startClaimant,
} from '../support/embedded-claimant.js';

const logger = { info: () => undefined, warn: () => undefined };
const WAIT_OPTIONS = { timeout: 30_000, interval: 50 };

let program: ClaimantProgram;
/** Contains a data directory of a stopped server. */
let initialized: string;
const claims: EmbeddedPostgres[] = [];
const claimants: Claimant[] = [];
const folders: string[] = [];

beforeAll(async () => {
  program = await compileClaimant();
  initialized = await mkdtemp(join(tmpdir(), 'embedded-'));
  execFileSync('chmod', ['755', initialized]);
  await (await acquire(join(initialized, 'data'))).release();
  await stopServer(initialized);
  return async () => {
    await program.remove();
    await rm(initialized, { recursive: true, force: true });
  };
});

afterEach(async () => {
  for (const claim of claims.splice(0)) await claim.release();
  for (const claimant of claimants.splice(0)) claimant.process.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    await stopServer(folder);
    await rm(folder, { recursive: true, force: true });
  }
});

async function stopServer(folder: string): Promise<void> {
  // Without this a supervisor would wait a moment for further clients.
  terminate(listProcesses(folder));
  await vi.waitFor(() => expect(listProcesses(folder)).toEqual([]), WAIT_OPTIONS);
}

async function newDataDir(name = 'data'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  // Another user traverses this directory; the data directory itself stays private.
  execFileSync('chmod', ['755', folder]);
  folders.push(folder);
  return join(folder, name);
}

/** A server in it starts much earlier than in a new directory. */
async function copyInitializedDataDir(): Promise<string> {
  const dataDir = await newDataDir();
  execFileSync('cp', ['-a', join(initialized, 'data'), dataDir]);
  return dataDir;
}

async function acquire(dataDir: string): Promise<EmbeddedPostgres> {
  const claim = await acquireEmbeddedPostgres({ dataDir, logger, durable: false });
  claims.push(claim);
  return claim;
}

function startOtherClaimant(dataDir: string): Claimant {
  const claimant = startClaimant(program.path, dataDir);
  claimants.push(claimant);
  return claimant;
}

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Supervisors and servers, without their children and zombies, whose command line names the folder. */
function listProcesses(folder: string): number[] {
  const lines = execFileSync('ps', ['-eww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(folder) && !line.includes('program.js') && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/** A process that has already ended is not an error. */
function terminate(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function readSupervisorPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'keeper.json'), 'utf8');
  return (JSON.parse(text) as { pid: number }).pid;
}

async function readServerPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

async function killEveryProcess(claimant: Claimant, dataDir: string): Promise<void> {
  for (const pid of [
    claimant.process.pid ?? 0,
    await readSupervisorPid(dataDir),
    await readServerPid(dataDir),
  ])
    process.kill(pid, 'SIGKILL');
}

describe('embedded Postgres', () => {
  it('a server in a private data directory with spaces in its path accepts UTF-8 queries on loopback only', async () => {
    const dataDir = await newDataDir('my data ü');
    const startedAt = performance.now();
    const { url } = await acquire(dataDir);
    console.log(`cold start: ${Math.round(performance.now() - startedAt)} ms`);

    expect(
      await query(
        url,
        `select current_setting('server_encoding'), 'ü' < 'z', current_setting('listen_addresses')`,
      ),
    ).toEqual([['UTF8', false, '127.0.0.1']]);
    expect((await stat(dataDir)).mode & 0o007).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'settings.json'))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'keeper.json'))).mode & 0o077).toBe(0);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication/,
    );
  });

  it('programs that start at the same time share one server', async () => {
    const dataDir = await newDataDir();
    const otherClaimants = Array.from({ length: 3 }, () => startOtherClaimant(dataDir));
    const { url } = await acquire(dataDir);
    for (const claimant of otherClaimants) expect(await claimant.url).toBe(url);
    await vi.waitFor(() => expect(listProcesses(dataDir)).toHaveLength(2), WAIT_OPTIONS);
  });

  it('data, URL and password survive a restart', async () => {
    const dataDir = await copyInitializedDataDir();
    const first = await acquire(dataDir);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.release();
    await vi.waitFor(() => expect(listProcesses(dataDir)).toEqual([]), WAIT_OPTIONS);

    const startedAt = performance.now();
    const second = await acquire(dataDir);
    console.log(`warm start: ${Math.round(performance.now() - startedAt)} ms`);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toEqual([[42]]);
  });

  it('the server runs while one program is left, and stops and removes its state when the last one is killed', async () => {
    const dataDir = await copyInitializedDataDir();
    const [one, two] = [startOtherClaimant(dataDir), startOtherClaimant(dataDir)];
    const url = await one.url;
    await two.url;
    one.process.kill('SIGKILL');
    // Longer than the grace period after the last program.
    const until = Date.now() + 3_000;
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(until), WAIT_OPTIONS);
    expect(await query(url, 'select 1')).toEqual([[1]]);

    two.process.kill('SIGKILL');
    await vi.waitFor(() => expect(listProcesses(dataDir)).toEqual([]), WAIT_OPTIONS);
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('keeper.json');
  });

  it('a killed server is restarted at the same URL', async () => {
    const dataDir = await copyInitializedDataDir();
    const { url } = await acquire(dataDir);
    await query(url, 'create table kept as select 42 as answer');
    const pid = await readServerPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(
      async () => expect(await query(url, 'select answer from kept')).toEqual([[42]]),
      WAIT_OPTIONS,
    );
    expect(await readServerPid(dataDir)).not.toBe(pid);
  });

  it('a killed supervisor is replaced and its server restarted', async () => {
    const dataDir = await copyInitializedDataDir();
    const { url } = await acquire(dataDir);
    const [supervisor, server] = [await readSupervisorPid(dataDir), await readServerPid(dataDir)];
    process.kill(supervisor, 'SIGKILL');
    await vi.waitFor(async () => {
      expect(await readSupervisorPid(dataDir)).not.toBe(supervisor);
      expect(await readServerPid(dataDir)).not.toBe(server);
      expect(await query(url, 'select 1')).toEqual([[1]]);
    }, WAIT_OPTIONS);
    // A child of the server has the same command line until it sets its title.
    await vi.waitFor(() => expect(listProcesses(dataDir)).toHaveLength(2), WAIT_OPTIONS);
  });

  it('the server starts after every process was killed, even when the old process id belongs to another program', async () => {
    const dataDir = await copyInitializedDataDir();
    const claimant = startOtherClaimant(dataDir);
    const url = await claimant.url;
    await query(url, 'create table kept as select 42 as answer');
    const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    const pidFileText = await readFile(pidFile, 'utf8');
    await killEveryProcess(claimant, dataDir);
    await vi.waitFor(() => expect(listProcesses(dataDir)).toEqual([]), WAIT_OPTIONS);
    const otherProgram = spawn('sleep', ['60']);
    await writeFile(pidFile, pidFileText.replace(/^\d+/, String(otherProgram.pid)));

    const { url: again } = await acquire(dataDir);
    expect(again).toBe(url);
    expect(await query(again, 'select answer from kept')).toEqual([[42]]);
    expect(otherProgram.exitCode).toBeNull();
    otherProgram.kill();
  });

  it('the server starts after every process was killed, even while a connection of the former one ends slowly', async () => {
    const dataDir = await copyInitializedDataDir();
    const claimant = startOtherClaimant(dataDir);
    const client = new Client({ connectionString: await claimant.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]?.pid ?? 0;
    process.kill(backend, 'SIGSTOP');
    await killEveryProcess(claimant, dataDir);

    const again = acquire(dataDir);
    again.catch(() => undefined);
    const log = join(dataDir, 'postgres', 'postgres.log');
    const countRefusals = async () => (await readFile(log, 'utf8')).split('shared memory block').length - 1;
    try {
      // More often than a start that fails for another reason is tried; each refusal has two lines.
      await vi.waitFor(async () => expect(await countRefusals()).toBeGreaterThan(8), WAIT_OPTIONS);
    } finally {
      process.kill(backend, 'SIGKILL');
    }
    expect(await query((await again).url, 'select 1')).toEqual([[1]]);
  });

  it('a cluster that cannot start is reported with the reason and leaves no process', async () => {
    const dataDir = await copyInitializedDataDir();
    await (await acquire(dataDir)).release();
    await vi.waitFor(() => expect(listProcesses(dataDir)).toEqual([]), WAIT_OPTIONS);
    await writeFile(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '9.6\n');
    await expect(acquire(dataDir)).rejects.toThrow(/incompatible.*9\.6/);
    await vi.waitFor(() => expect(listProcesses(dataDir)).toEqual([]), WAIT_OPTIONS);
  });

  it('a data directory below private directories uses a cluster in another place', async (context) => {
    context.skip(process.getuid?.() !== 0, 'Only root runs Postgres as another user.');
    const dataDir = await newDataDir(join('closed', 'data'));
    await mkdir(join(dataDir, '..'), { mode: 0o700 });
    const first = await acquire(dataDir);
    await query(first.url, 'create table kept as select 42 as answer');
    const cluster = await readFile(join(dataDir, 'postgres', 'location'), 'utf8');
    try {
      expect(cluster).toMatch(/^\/var\/lib\/zephyr\/clusters\//);
      await first.release();
      await vi.waitFor(() => expect(listProcesses(cluster)).toEqual([]), WAIT_OPTIONS);
      expect(await query((await acquire(dataDir)).url, 'select answer from kept')).toEqual([[42]]);
    } finally {
      for (const claim of claims.splice(0)) await claim.release();
      await vi.waitFor(() => expect(listProcesses(cluster)).toEqual([]), WAIT_OPTIONS);
      await rm(join(cluster, '..'), { recursive: true, force: true });
    }
  });
});
