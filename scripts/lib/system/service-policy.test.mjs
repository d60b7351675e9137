import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../command.mjs';
import { runUntilPrinted } from '../start-script.mjs';
import { withoutServices } from './service-policy.mjs';

const LIB = new URL('..', import.meta.url).href;

let folder;
let policy;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'));
  policy = join(folder, 'policy-rc.d');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Disables no service of this machine. */
const runAsRoot = async ([program, ...rest]) =>
  program === 'systemctl' ? { code: 0 } : runCaptured(program, rest);

describe('the policy that forbids services to start', () => {
  it('holds during an installation only', async () => {
    const install = async () => {
      expect((await runCaptured(policy, [])).code).toBe(101);
      expect((await stat(policy)).mode & 0o777).toBe(0o755);
      return 'installed';
    };
    expect(await withoutServices(['redis-server'], install, { runAsRoot, policy })).toBe('installed');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not made for packages without services', async () => {
    await withoutServices([], async () => expect(await readdir(folder)).toEqual([]), { runAsRoot, policy });
  });

  it('stays unchanged if the machine has one', async () => {
    await writeFile(policy, '#!/bin/sh\nexit 0\n');
    await withoutServices(['redis-server'], async () => undefined, { runAsRoot, policy });
    expect(await readFile(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('is deleted when a %s ends an installation', async (signal, code) => {
    const script = await runUntilPrinted(
      `
      const { runCaptured } = await import('${LIB}command.mjs');
      const { withoutServices } = await import('${LIB}system/service-policy.mjs');
      const { runScript } = await import('${LIB}user-facing-error.mjs');
      const install = () => {
        const installing = runCaptured('sleep', ['1000']);
        console.log('installing');
        return installing;
      };
      const runAsRoot = async ([program, ...rest]) =>
        program === 'systemctl' ? { code: 0 } : runCaptured(program, rest);
      const policy = ${JSON.stringify(policy)};
      await runScript(() => withoutServices(['redis-server'], install, { runAsRoot, policy }));`,
      'installing',
    );
    expect(await readdir(folder)).toEqual(['policy-rc.d']);
    expect(await script.endWith(signal)).toMatchObject({ code, stderr: '' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the services of packages that were installed', () => {
  it.each([
    ['are disabled for the next boot', undefined],
    ['are disabled for the next boot, also if the machine has a policy of its own', '#!/bin/sh\nexit 0\n'],
  ])('%s', async (_, existing) => {
    if (existing !== undefined) await writeFile(policy, existing);
    const commands = [];
    const recordAndRun = async (command) => {
      commands.push(command);
      return runAsRoot(command);
    };
    const options = { runAsRoot: recordAndRun, policy, systemd: folder };
    await withoutServices(['redis-server', 'nginx'], async () => undefined, options);
    expect(commands.at(-1)).toEqual(['systemctl', 'disable', 'redis-server', 'nginx']);
  });
});
