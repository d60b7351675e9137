import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@app/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const UNITS = fileURLToPath(new URL('../../deploy/systemd', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../../deploy/bin/zephyr', import.meta.url));
const ANALYZE = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));
if (ANALYZE === undefined) console.warn('Skipped verification of units: systemd-analyze is not installed.');

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'units-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const units = await readdir(UNITS);
const readUnit = (name: string) => readFile(join(UNITS, name), 'utf8');

/** Verifies a unit file with systemd, with the path of the launcher replaced. */
async function verifyUnit(name: string, text: string): Promise<{ code: number; output: string }> {
  const file = join(folder, name.replace('@', '@3001'));
  await writeFile(file, text.replace('/opt/zephyr/current/bin/zephyr', LAUNCHER));
  return new Promise((resolve, reject) => {
    execFile(ANALYZE ?? '', ['verify', '--man=no', file], (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

it('systemd units exist for a single machine, an API and a processor', () => {
  expect(units.toSorted()).toEqual(['zephyr-api@.service', 'zephyr-processor.service', 'zephyr.service']);
});

describe.each(units)('the systemd unit %s', (name) => {
  it.runIf(ANALYZE)('the unit passes systemd-analyze verify, which would report errors', async () => {
    const text = await readUnit(name);
    expect(await verifyUnit(name, text)).toEqual({ code: 0, output: '' });
    expect((await verifyUnit(name, text.replace('KillMode=', 'KillMod='))).output).toContain('KillMod');
  });

  it('the unit gives its program enough time to stop, and restarts it', async () => {
    const text = await readUnit(name);
    const { shutdownSeconds, drainSeconds } = loadConfig({}).service;
    const stopSeconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
    expect(stopSeconds).toBeGreaterThan(shutdownSeconds + drainSeconds + 10);
    for (const line of ['Restart=always', 'KillMode=mixed', 'LimitNOFILE=65536'])
      expect(text).toContain(`\n${line}\n`);
    expect(text).toContain('\nEnvironmentFile=-/etc/zephyr/zephyr.env\n');
  });

  it('the unit does not restrict what the sandbox of media programs needs', async () => {
    const text = await readUnit(name);
    expect(text).not.toMatch(
      /^(RestrictNamespaces|ProtectKernelTunables|ProtectKernelLogs|ProtectHostname|ProtectProc|ProcSubset|MemoryDenyWriteExecute|SystemCallFilter)=/m,
    );
    expect(text).toMatch(/^RestrictAddressFamilies=.*AF_NETLINK/m);
  });
});
