/** Tells whether the migrations make what the entities say: on an empty database of their own. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from './lib/foreground.mjs';

const folder = await mkdtemp(join(tmpdir(), 'zephyr-drift-'));
try {
  // Only what this program needs: a configured database would not be an empty one.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder };
  for (const args of [['migrate'], ['migrate', '--drift']])
    await promisify(execFile)(process.execPath, [builtProgram('admin'), ...args], { env });
} catch (error) {
  console.log(`${error.stdout ?? ''}${error.stderr ?? error}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
