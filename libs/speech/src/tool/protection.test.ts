import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cage, type Wrappers } from './cage.js';
import { endingOf } from './ending.js';
import { TOOL_PATH } from './find-tool.js';
import { toolProtection, wrappers } from './protection.js';
import { runTool } from './run-tool.js';
import { failure, LIMITS, processesWith, shell } from './testing/shell.js';
import type { ToolLimits } from './tool-limits.js';

const execute = promisify(execFile);
/** Longer than a busy machine takes to give a program a second of its processors. */
const SLOW_MS = 60_000;
const found = await wrappers();
const { resourceLimits, noNetwork, diesWithParent, ownFilesOnly } = await toolProtection();
for (const [name, active] of Object.entries(await toolProtection()))
  if (!active) console.warn(`Skipped, this machine does not offer it: ${name} of outside programs.`);

let folder: string;
let foreign: string;
beforeAll(async () => {
  [folder, foreign] = [
    await mkdtemp(join(tmpdir(), 'zephyr-cage-')),
    await mkdtemp(join(tmpdir(), 'zephyr-foreign-')),
  ];
  await writeFile(join(foreign, 'secret'), 'planted');
});
afterAll(() => Promise.all([folder, foreign].map((each) => rm(each, { recursive: true, force: true }))));

/** How a few lines of shell end in a cage of these wrappers, and what they say. */
async function caged(by: Wrappers, script: string, limits: Partial<ToolLimits> = {}) {
  const allowance = { limits: { ...LIMITS, ...limits }, files: { reads: [], folder } };
  const [file = '', ...args] = cage(['/bin/bash', '-c', script], allowance, by);
  const options = { cwd: folder, env: { PATH: TOOL_PATH }, timeout: SLOW_MS };
  const outcome = await execute(file, args, options).catch((error: unknown) => error);
  const { code, signal, stdout, stderr } = outcome as {
    code?: number | null;
    signal?: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
  };
  return { ...endingOf(code ?? (signal ? null : 0), signal ?? null), stdout, stderr };
}

// The cage without its sandbox is what most containers get: it has to hold alone.
const CAGES: [string, Wrappers][] = [
  ['all that there is', found],
  ['what is left without the sandbox', { ...found, sandbox: null }],
];

describe.each(CAGES)('a program in a cage of %s', (_name, by) => {
  it.skipIf(!resourceLimits)('gets no more memory than its limit', async () => {
    const script = 'head -c 300000000 /dev/zero | tail -n 1 | wc -c';
    const { stderr, stdout } = await caged(by, script, { memoryBytes: 100 * 2 ** 20 });
    expect(stderr).toContain('memory exhausted');
    expect(Number(stdout)).toBe(0);
  });

  it.skipIf(!resourceLimits)(
    'ends at its limit of processor time, which is told',
    async () => {
      const { signal } = await caged(by, 'while :; do :; done', { cpuSeconds: 1 });
      expect(signal).toBe('SIGXCPU');
    },
    2 * SLOW_MS,
  );

  it.skipIf(!resourceLimits)('writes no file larger than its limit', async () => {
    const { stdout } = await caged(by, 'head -c 9000 /dev/zero > large; wc -c < large; rm large');
    expect(stdout.trim()).toBe('4096');
  });

  it.skipIf(!noNetwork)('reaches no network, not even this machine', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`;
    expect((await execute('/bin/bash', ['-c', script])).stdout).toBe('connected\n');
    await expect.poll(() => connections).toBe(1);
    const { stderr, stdout } = await caged(by, script);
    await new Promise((resolve) => server.close(resolve));
    expect(stderr).toMatch(/unreachable|refused/);
    expect(stdout).toBe('');
    expect(connections).toBe(1);
  });

  it.skipIf(!diesWithParent)('does not outlive who started it, killed or not', async () => {
    const allowance = { limits: LIMITS, files: { reads: [] } };
    const program = cage(['/bin/sh', '-c', ': orphan-mark; sleep 50; :'], allowance, by);
    const parent = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', ...program], { stdio: 'ignore' });
    // Until the wrappers have made way for the program itself, there is no signal to wait for.
    await expect
      .poll(() => processesWith(': orphan-mark;').some((line) => line.startsWith('/bin/sh -c :')))
      .toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => processesWith(': orphan-mark;')).toEqual([]);
  });

  it.skipIf(!diesWithParent)('may gain no privileges', async () => {
    expect((await caged(by, 'cat /proc/self/status')).stdout).toMatch(/NoNewPrivs:\s*1/);
  });
});

describe.skipIf(!ownFilesOnly)('a program in the sandbox', () => {
  it('opens no file but its own and those that it was given', async () => {
    await writeFile(join(folder, 'own'), 'mine');
    const secret = join(foreign, 'secret');
    const script = `cat own; cat ${secret}; cat /etc/passwd; ls -A /tmp /home /root /var; true`;
    expect((await runTool(shell(script, { folder }))).toString()).not.toContain('planted');
    expect((await runTool(shell('cat own; ls -A /tmp', { folder }))).toString()).toBe(
      `mine${folder.split('/').at(-1)}\n`,
    );
    const given = await runTool(shell(`cat ${secret}; cat /etc/passwd 2>&1; true`, { reads: [secret] }));
    expect(given.toString()).toMatch(/^planted.*\/etc\/passwd.*No such file/);
  });

  it('writes nowhere but into its own folder', async () => {
    const places = ['/', '/usr', '/dev', '/dev/shm', '/etc', foreign];
    const attempts = places.map((place) => `(echo x > ${place}/left) 2>/dev/null && echo ${place};`);
    const script = `${attempts.join(' ')} echo x > written; true`;
    const printed = await runTool(shell(script, { folder, reads: [foreign] }));
    expect(printed.toString()).toBe('');
    expect(await readdir(folder)).toContain('written');
    expect(await readdir(foreign)).toEqual(['secret']);
  });

  it('sees no process but its own, and has no rights left', async () => {
    const printed = (await runTool(shell('ls /proc; cat /proc/self/status'))).toString();
    const pids = printed.split('\n').filter((line) => /^\d+$/.test(line));
    expect(pids).not.toContain(String(process.pid));
    expect(pids.length).toBeLessThan(5);
    expect(printed).toMatch(/CapEff:\s*0+\n/);
    expect(printed).toMatch(/CapBnd:\s*0+\n/);
  });

  it('leaves no process behind, not even one that left its group', async () => {
    const stray = "setsid sh -c ': stray-mark; echo here; sleep 50; :'";
    expect((await runTool(shell(`{ ${stray} & } | head -n 1`))).toString()).toBe('here\n');
    await expect.poll(() => processesWith(': stray-mark;')).toEqual([]);
  });

  it('is told apart by how it ended, as without it', async () => {
    expect(await failure(runTool(shell('exit 7')))).toMatchObject({ exitCode: 7, signal: null });
    expect(await failure(runTool(shell('kill -SEGV $$')))).toMatchObject({
      exitCode: null,
      signal: 'SIGSEGV',
    });
    const late = await failure(runTool(shell('kill -XCPU $$')));
    expect(late).toMatchObject({ name: 'ToolTimedOut', limit: 'cpu' });
  });
});
