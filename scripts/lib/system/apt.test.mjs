import { describe, expect, it } from 'vitest';
import { installWithApt } from './apt.mjs';

const DONE = { code: 0, output: '' };
const OUTDATED = { code: 100, output: 'E: Unable to locate package sctk' };
const LOCKED = {
  code: 100,
  output: 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7',
};
const LOCKED_FOLDER = { code: 100, output: 'E: Unable to lock directory /var/lib/apt/lists/' };
const OFFLINE = { code: 100, output: "Temporary failure resolving 'mirror.example'" };
const READ_ONLY = {
  code: 100,
  output:
    'E: Could not open lock file /var/lib/apt/lists/lock - open (30: Read-only file system)\nE: Unable to lock directory /var/lib/apt/lists/',
};

/** Answers with the results one after the other, the last one again and again. */
function createAptGet(...results) {
  const commands = [];
  const runAsRoot = async (command) => {
    commands.push(command);
    return results.length > 1 ? results.shift() : results[0];
  };
  const listActions = () =>
    commands.map((command) => command.find((word) => /^(install|update)$/.test(word)));
  return { commands, runAsRoot, listActions };
}

const { signal } = new AbortController();
const install = (apt, options = {}) =>
  installWithApt(['sctk'], { runAsRoot: apt.runAsRoot, signal, retryMs: 1, ...options });

describe('an installation with apt-get', () => {
  it('reads messages in English, whatever the language of the machine', async () => {
    const apt = createAptGet(OUTDATED, DONE);
    await install(apt);
    expect(apt.commands).toHaveLength(3);
    for (const command of apt.commands) expect(command.slice(0, 2)).toEqual(['env', 'LC_ALL=C']);
  });

  it('fetches the package list if a package is not in it', async () => {
    const apt = createAptGet(OUTDATED, DONE);
    expect(await install(apt)).toEqual(DONE);
    expect(apt.listActions()).toEqual(['install', 'update', 'install']);
  });

  it('waits while another program fetches the package list', async () => {
    const apt = createAptGet(OUTDATED, LOCKED, LOCKED_FOLDER, DONE);
    expect(await install(apt)).toEqual(DONE);
    expect(apt.listActions()).toEqual(['install', 'update', 'update', 'update', 'install']);
  });

  it('fails if the package list stays locked', async () => {
    expect(await install(createAptGet(OUTDATED, LOCKED), { lockTimeoutMs: 20 })).toEqual(LOCKED);
  });

  it.each([OFFLINE, READ_ONLY])(
    'fetches the package list once if that fails otherwise: $output',
    async (failure) => {
      const apt = createAptGet(OUTDATED, failure);
      expect(await install(apt)).toEqual(failure);
      expect(apt.listActions()).toEqual(['install', 'update']);
    },
  );

  it('ends at a signal while it waits', async () => {
    const controller = new AbortController();
    const apt = createAptGet(OUTDATED, LOCKED);
    const installing = install(apt, { signal: controller.signal, retryMs: 1_000_000 });
    await expect.poll(() => apt.listActions().length).toBe(2);
    controller.abort(new Error('a signal'));
    await expect(installing).rejects.toThrow();
  });
});
