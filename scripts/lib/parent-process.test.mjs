import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { killWithParent } from './parent-process.mjs';

const started = [];
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Starts plain Node with this program below a shell. @returns the process ids that its first line names, the shell's last */
async function start(program, env = process.env) {
  const child = spawn('sh', ['-c', `"${process.execPath}" --input-type=module -e '${program}'; true`], {
    env,
  });
  started.push(child);
  const [line] = await once(child.stdout, 'data');
  return [...String(line).trim().split(' ').map(Number), child.pid];
}

const here = (name) => new URL(name, import.meta.url).href;
const expectGone = (pid) =>
  vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 20_000 });

it.runIf(process.platform === 'linux')('ends when the process that npm is has gone', async () => {
  const watched = `import("${here('./parent-process.mjs')}").then((m) => { m.exitWhenNpmExits(); setInterval(() => {}, 1000); console.log(process.pid); })`;
  const [watcher = 0, shell = 0] = await start(watched, { ...process.env, npm_lifecycle_event: 'demo' });
  process.kill(shell, 'SIGKILL');
  await expectGone(watcher);
});

it.runIf(process.platform === 'linux')(
  'goes on when only the process that started npm has gone',
  async () => {
    const watcher = `import("${here('./parent-process.mjs')}").then((m) => { m.exitWhenNpmExits(); setTimeout(() => console.log("looked twice and more"), 2000); })`;
    const asNpm = `import("node:child_process").then(({ spawn }) => { const child = spawn(process.execPath, ["-e", ${JSON.stringify(watcher)}], { stdio: ["ignore", "inherit", "inherit"] }); console.log(child.pid + " " + process.pid); child.on("exit", () => process.exit()); })`;
    const env = { ...process.env, npm_lifecycle_event: 'start', npm_node_execpath: process.execPath };
    const [, , shell = 0] = await start(asNpm, env);
    const { stdout } = started.at(-1);
    process.kill(shell, 'SIGKILL');
    expect(String((await once(stdout, 'data'))[0])).toContain('looked twice and more');
  },
);

it.runIf(existsSync('/usr/bin/setpriv'))('binds a command to the one who starts it', async () => {
  const [command, parameters] = killWithParent('sleep', ['60']);
  const program = `import("node:child_process").then(({ spawn }) => { const child = spawn("${command}", ${JSON.stringify(parameters)}); console.log(child.pid + " " + process.pid); })`;
  const [bound = 0, starter = 0] = await start(program);
  expect(existsSync(`/proc/${bound}`)).toBe(true);
  process.kill(starter, 'SIGKILL');
  await expectGone(bound);
});
