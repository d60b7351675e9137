import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSandboxCommand, type SandboxWrappers } from './build-sandbox-command.js';
import { restoreSignalFromExitCode } from './child-process.js';
import { TOOL_SEARCH_PATH, type ToolLimits } from './tool.js';
import { detectSandboxProtections, detectSandboxWrappers } from './sandbox-capabilities.js';
import { runTool } from './run-tool.js';
import { catchRejection, SHELL_LIMITS, findProcessCommandLines, buildShellToolRun } from './testing/shell.js';

const execute = promisify(execFile);
/** Longer than a busy machine takes to give a program a second of its processors. */
const SLOW_MS = 60_000;
const found = await detectSandboxWrappers();
const { resourceLimits, noNetwork, diesWithParent, ownFilesOnly } = await detectSandboxProtections();
for (const [name, active] of Object.entries(await detectSandboxProtections()))
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
async function caged(
  by: SandboxWrappers,
  script: string,
  limits: Partial<ToolLimits> = {},
  reads: string[] = [],
) {
  const allowance = { limits: { ...SHELL_LIMITS, ...limits }, files: { reads, folder } };
  const [file = '', ...args] = buildSandboxCommand(['/bin/bash', '-c', script], allowance, by);
  const options = { cwd: folder, env: { PATH: TOOL_SEARCH_PATH }, timeout: SLOW_MS };
  const outcome = await execute(file, args, options).catch((error: unknown) => error);
  const { code, signal, stdout, stderr } = outcome as {
    code?: number | null;
    signal?: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
  };
  return { ...restoreSignalFromExitCode(code ?? (signal ? null : 0), signal ?? null), stdout, stderr };
}

// The cage without its sandbox is what most containers get: it has to hold alone.
const CAGES: [string, SandboxWrappers][] = [
  ['all that there is', found],
  ['what is left without the sandbox', { ...found, bwrap: null }],
];

describe.each(CAGES)('a program in a sandbox of %s', (_name, by) => {
  it.skipIf(!resourceLimits)('the program cannot exceed its memory limit', async () => {
    const script = 'head -c 300000000 /dev/zero | tail -n 1 | wc -c';
    const { stderr, stdout } = await caged(by, script, { memoryBytes: 100 * 2 ** 20 });
    expect(stderr).toContain('memory exhausted');
    expect(Number(stdout)).toBe(0);
  });

  it.skipIf(!resourceLimits)(
    'the program ends at its CPU time limit, which is reported',
    async () => {
      const { signal } = await caged(by, 'while :; do :; done', { cpuSeconds: 1 });
      expect(signal).toBe('SIGXCPU');
    },
    2 * SLOW_MS,
  );

  it.skipIf(!resourceLimits)('the program cannot write a file above its size limit', async () => {
    const { stdout } = await caged(by, 'head -c 9000 /dev/zero > large; wc -c < large; rm large');
    expect(stdout.trim()).toBe('4096');
  });

  it.skipIf(!noNetwork)('the program reaches no network, not even loopback', async () => {
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

  it.skipIf(!ownFilesOnly || by.bwrap === null)(
    'the program makes no user namespace of its own',
    async () => {
      const { code, stderr } = await caged(by, 'unshare --user true');
      expect(code).not.toBe(0);
      expect(stderr).toContain('unshare failed');
    },
  );

  it.skipIf(!diesWithParent)('the program does not outlive its parent, even if that is killed', async () => {
    const allowance = { limits: SHELL_LIMITS, files: { reads: [] } };
    const program = buildSandboxCommand(['/bin/sh', '-c', ': orphan-mark; sleep 50; :'], allowance, by);
    const parent = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', ...program], { stdio: 'ignore' });
    // Until the wrappers have made way for the program itself, there is no signal to wait for.
    await expect
      .poll(() => findProcessCommandLines(': orphan-mark;').some((line) => line.startsWith('/bin/sh -c :')))
      .toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => findProcessCommandLines(': orphan-mark;')).toEqual([]);
  });

  it.skipIf(!diesWithParent)('the program cannot gain privileges', async () => {
    expect((await caged(by, 'cat /proc/self/status')).stdout).toMatch(/NoNewPrivs:\s*1/);
  });
});

describe.skipIf(!ownFilesOnly)('a program in the bwrap sandbox without /proc', () => {
  it.each([
    ['ffmpeg', 'ffmpeg -v error -f lavfi -i sine=duration=0.1 -f s16le - | wc -c'],
    [
      'a Node program with a thread',
      `${process.execPath} -e 'new (require("node:worker_threads").Worker)("0", { eval: true }).on("exit", console.log)'`,
    ],
  ])('%s works and sees no process', async (_name, command) => {
    const wrappers = { ...found, mountsProc: false };
    const limits = { memoryBytes: Infinity };
    // This Node may be installed in a folder of its own.
    const { code, stdout } = await caged(wrappers, `ls /proc/self; ${command}`, limits, [process.execPath]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\n$/);
  });
});

describe.skipIf(!ownFilesOnly)('a program in the bwrap sandbox', () => {
  it('the program can open only its own and the given files', async () => {
    await writeFile(join(folder, 'own'), 'mine');
    const secret = join(foreign, 'secret');
    const script = `cat own; cat ${secret}; cat /etc/passwd; ls -A /tmp /home /root /var; true`;
    expect((await runTool(buildShellToolRun(script, { folder }))).toString()).not.toContain('planted');
    expect((await runTool(buildShellToolRun('cat own; ls -A /tmp', { folder }))).toString()).toBe(
      `mine${folder.split('/').at(-1)}\n`,
    );
    const given = await runTool(
      buildShellToolRun(`cat ${secret}; cat /etc/passwd 2>&1; true`, { reads: [secret] }),
    );
    expect(given.toString()).toMatch(/^planted.*\/etc\/passwd.*No such file/);
  });

  it('the program can write only to its own folder', async () => {
    const folders = ['/', '/usr', '/dev', '/dev/shm', '/etc', foreign];
    const attempts = folders.map((place) => `(echo x > ${place}/left) 2>/dev/null && echo ${place};`);
    const script = `${attempts.join(' ')} echo x > written; true`;
    const printed = await runTool(buildShellToolRun(script, { folder, reads: [foreign] }));
    expect(printed.toString()).toBe('');
    expect(await readdir(folder)).toContain('written');
    expect(await readdir(foreign)).toEqual(['secret']);
  });

  it('the program sees only its own processes and has no capabilities', async () => {
    const printed = (await runTool(buildShellToolRun('ls /proc; cat /proc/self/status'))).toString();
    const pids = printed.split('\n').filter((line) => /^\d+$/.test(line));
    expect(pids).not.toContain(String(process.pid));
    expect(pids.length).toBeLessThan(5);
    expect(printed).toMatch(/CapEff:\s*0+\n/);
    expect(printed).toMatch(/CapBnd:\s*0+\n/);
  });

  it('no process survives the program, not even outside its process group', async () => {
    const stray = "setsid sh -c ': stray-mark; echo here; sleep 50; :'";
    expect((await runTool(buildShellToolRun(`{ ${stray} & } | head -n 1`))).toString()).toBe('here\n');
    await expect.poll(() => findProcessCommandLines(': stray-mark;')).toEqual([]);
  });

  it('exit codes and signals are reported as without the sandbox', async () => {
    expect(await catchRejection(runTool(buildShellToolRun('exit 7')))).toMatchObject({
      exitCode: 7,
      signal: null,
    });
    expect(await catchRejection(runTool(buildShellToolRun('kill -SEGV $$')))).toMatchObject({
      exitCode: null,
      signal: 'SIGSEGV',
    });
    const late = await catchRejection(runTool(buildShellToolRun('kill -XCPU $$')));
    expect(late).toMatchObject({ name: 'ToolTimeoutError', limit: 'cpu' });
  });
});
