/**
 * `npm run dev`: API and processor with an embedded Postgres and a readable log, compiled and restarted on every change.
 * Debuggers attach to 127.0.0.1:9229 (API) and 9230 (processor); `.vscode/launch.json` does so. Ctrl-C ends it.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { builtProgram } from './lib/foreground.mjs';
import { endWithNpm } from './lib/lifeline.mjs';
import { prepare } from './lib/prepare.mjs';
import { restartable } from './lib/restartable.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, say } from './lib/trouble.mjs';

/** What the compiler says at the end of each compilation without errors. */
const COMPILED = /Found 0 errors/;

await runScript(async () => {
  endWithNpm();
  await prepare({ build: false });
  const env = { LOG_PRETTY: 'true', DEVELOPMENT_ACCOUNT: 'true', SHUTDOWN_SECONDS: '3', ...process.env };
  const programs = [
    restartable(builtProgram('api'), { env, inspectPort: 9229 }),
    restartable(builtProgram('processor'), { env, inspectPort: 9230 }),
  ];
  // A group of its own, so that Ctrl-C reaches only us: the programs are to stop in order.
  const compiler = spawn('node_modules/.bin/nest', ['build', '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(compiler.stdout).on('line', (line) => {
    say(line);
    if (COMPILED.test(line)) for (const program of programs) program.restart();
  });
  const code = await new Promise((resolve) => {
    compiler.once('exit', () => resolve(1));
    compiler.once('error', () => resolve(1));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
  });
  compiler.kill();
  await Promise.all(programs.map((program) => program.stop()));
  return code;
});
