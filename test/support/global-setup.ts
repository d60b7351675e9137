import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { holdTestServer, TEST_DATA_DIR } from './postgres.js';

const GONE_WITHIN_MS = 6_000;

/**
 * Holds one Postgres server for the whole run, so that it does not stop and start between test files, and waits for
 * its end afterwards, so that a finished run leaves no process (unless another run still uses the server).
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { release } = await holdTestServer();
  const { pid } = JSON.parse(await readFile(join(TEST_DATA_DIR, 'postgres', 'keeper.json'), 'utf8')) as {
    pid: number;
  };
  return async () => {
    await release();
    const deadline = Date.now() + GONE_WITHIN_MS;
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
