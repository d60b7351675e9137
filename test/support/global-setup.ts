import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { acquireTestServer, TEST_DATA_DIR } from './postgres.js';

const EXIT_TIMEOUT_MS = 6_000;

/**
 * Runs one Postgres server during all test files, and then waits until it has stopped (unless another run still uses
 * it), so that a finished run leaves no process.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { release } = await acquireTestServer();
  const { pid } = JSON.parse(await readFile(join(TEST_DATA_DIR, 'postgres', 'keeper.json'), 'utf8')) as {
    pid: number;
  };
  return async () => {
    await release();
    const deadline = Date.now() + EXIT_TIMEOUT_MS;
    while (isRunning(pid) && Date.now() < deadline) await pause(50);
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
