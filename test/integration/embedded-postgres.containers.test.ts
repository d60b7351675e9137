import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, chmod, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Claimant,
  type ClaimantProgram,
  compileClaimant,
  startClaimant,
} from '../support/embedded-claimant.js';

/** As a container: processes and networks of its own, and the folder of the host. */
const CONTAINER = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const WITH_LOOPBACK = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const canMakeContainers = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0;

let program: ClaimantProgram;
let folder: string;
let claimants: Claimant[] = [];
beforeAll(async () => void (program = await compileClaimant()));
afterAll(() => program?.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-containers-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const { process: child } of claimants) child.kill('SIGKILL');
  claimants = [];
  await vi.waitFor(() => expect(listProcesses()).toEqual([]), { timeout: 60_000, interval: 100 });
  await rm(folder, { recursive: true, force: true });
});

/** Supervisors and servers of the folder; those of a container end with it. */
function listProcesses(): string[] {
  const lines = execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder) && !line.includes('program.js'));
}

const readPidFile = () => readFile(join(folder, 'data', 'postgres', 'cluster', 'postmaster.pid'), 'utf8');

function start(wrapper: readonly string[] = []): Claimant {
  const claimant = startClaimant(program.path, join(folder, 'data'), wrapper);
  claimants.push(claimant);
  return claimant;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

describe.skipIf(!canMakeContainers)('embedded Postgres on a volume (skipped where unshare may not)', () => {
  it('is not started a second time by another container, which says where to run the command', async () => {
    const url = await start().url;
    const pidFile = await readPidFile();
    await expect(start([...CONTAINER, ...WITH_LOOPBACK]).url).rejects.toThrow(
      /belongs to a running Postgres of another container or machine: run the command in that container/,
    );
    expect(await readPidFile()).toBe(pidFile);
    await query(url, 'create table kept as select 42 as answer');
  });

  it('is started by a new container after the former one was killed', async () => {
    const container = start([...CONTAINER, ...WITH_LOOPBACK]);
    const url = await container.url;
    const ended = new Promise((resolve) => container.process.once('exit', resolve));
    container.process.kill('SIGKILL');
    await ended;
    expect(await start([...CONTAINER, ...WITH_LOOPBACK]).url).toBe(url);
  });
});
