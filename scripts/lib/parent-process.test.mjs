import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { killWithParent } from './parent-process.mjs';

const children = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Starts a program in Node as a child of a shell. @returns the process ids that it prints, then that of the shell */
async function startBelowShell(program, env = process.env) {
  const child = spawn('sh', ['-c', `"${process.execPath}" --input-type=module -e '${program}'; true`], {
    env,
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return [...String(line).trim().split(' ').map(Number), child.pid];
}

const resolveUrl = (name) => new URL(name, import.meta.url).href;
const expectProcessToExit = (pid) =>
  vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 20_000 });

it.runIf(process.platform === 'linux')('a script ends when its npm process has ended', async () => {
  const watcherProgram = `import("${resolveUrl('./parent-process.mjs')}").then((m) => { m.exitWhenNpmExits(); setInterval(() => {}, 1000); console.log(process.pid); })`;
  const [watcherPid = 0, shellPid = 0] = await startBelowShell(watcherProgram, {
    ...process.env,
    npm_lifecycle_event: 'demo',
  });
  process.kill(shellPid, 'SIGKILL');
  await expectProcessToExit(watcherPid);
});

it.runIf(process.platform === 'linux')(
  'a script continues when only the parent of npm has ended',
  async () => {
    const watcher = `import("${resolveUrl('./parent-process.mjs')}").then((m) => { m.exitWhenNpmExits(); setTimeout(() => console.log("still running"), 2000); })`;
    const npmProgram = `import("node:child_process").then(({ spawn }) => { const child = spawn(process.execPath, ["-e", ${JSON.stringify(watcher)}], { stdio: ["ignore", "inherit", "inherit"] }); console.log(child.pid + " " + process.pid); child.on("exit", () => process.exit()); })`;
    const env = { ...process.env, npm_lifecycle_event: 'start', npm_node_execpath: process.execPath };
    const [, , shellPid = 0] = await startBelowShell(npmProgram, env);
    const { stdout } = children.at(-1);
    process.kill(shellPid, 'SIGKILL');
    expect(String((await once(stdout, 'data'))[0])).toContain('still running');
  },
);

it.runIf(existsSync('/usr/bin/setpriv'))(
  'killWithParent ends a command with the process that started it',
  async () => {
    const [command, parameters] = killWithParent('sleep', ['60']);
    const program = `import("node:child_process").then(({ spawn }) => { const child = spawn("${command}", ${JSON.stringify(parameters)}); console.log(child.pid + " " + process.pid); })`;
    const [childPid = 0, parentPid = 0] = await startBelowShell(program);
    expect(existsSync(`/proc/${childPid}`)).toBe(true);
    process.kill(parentPid, 'SIGKILL');
    await expectProcessToExit(childPid);
  },
);
