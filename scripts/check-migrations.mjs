/** Part of `npm run check`: the migrations, run on an empty database, create the schema of the entities. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgramPath } from './lib/foreground.mjs';

const folder = await mkdtemp(join(tmpdir(), 'zephyr-drift-'));
try {
  // Without DATABASE_URL and so on: the check needs an empty database.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder };
  for (const args of [['migrate'], ['migrate', '--drift']])
    await promisify(execFile)(process.execPath, [builtProgramPath('admin'), ...args], { env });
} catch (error) {
  console.log(`${error.stdout ?? ''}${error.stderr ?? error}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
