import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** The supervisor is plain JavaScript without types. */
const { ensureCluster } = (await import(new URL('./supervisor/cluster.mjs', import.meta.url).href)) as {
  ensureCluster: (options: object) => Promise<void>;
};

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'cluster-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([
  [
    'of the server',
    [
      'running bootstrap script ... 2026-11-23 01:51:51 UTC [48] FATAL:  could not extend file "base/1/2691": No space left on device',
      '2026-11-23 01:51:51 UTC [48] HINT:  Check free disk space.',
      '2026-11-23 01:51:51 UTC [48] PANIC:  cannot abort transaction 1, it was already committed',
      'child process exited with exit code 134',
      'initdb: removing data directory "data"',
    ],
    'could not extend file "base/1/2691": No space left on device',
  ],
  [
    'of initdb',
    ['initdb: error: could not create directory "data": No space left on device', 'initdb: removing "data"'],
    'could not create directory "data": No space left on device',
  ],
  ['in the last line', ['something', 'Killed'], 'Killed'],
])('ensureCluster reports the error %s when initdb fails', async (_, output, cause) => {
  const bin = join(folder, 'native', 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'initdb'), `#!/bin/sh\ncat >&2 <<'END'\n${output.join('\n')}\nEND\nexit 1\n`, {
    mode: 0o755,
  });
  const cluster = join(folder, 'cluster');
  await expect(
    ensureCluster({
      ...{ native: join(folder, 'native'), folder: cluster, user: {} },
      ...{ password: 'p', durable: false },
    }),
  ).rejects.toThrow(`The database could not be set up in ${cluster}.new: ${cause}`);
});
