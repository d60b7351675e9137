/**
 * `npm run dev`: API and processor with an embedded Postgres and a readable log, compiled and restarted on every change.
 * Debuggers attach to 127.0.0.1:9229 (API) and 9230 (processor); `.vscode/launch.json` does so. Ctrl-C ends it.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { builtProgramPath } from './lib/foreground.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { createRestartableProgram } from './lib/restartable-program.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, printProgress } from './lib/user-facing-error.mjs';

/** What the compiler says at the end of each compilation without errors. */
const COMPILED = /Found 0 errors/;

await runScript(async () => {
  exitWhenNpmExits();
  await prepareCheckout({ build: false });
  const env = { LOG_PRETTY: 'true', DEVELOPMENT_ACCOUNT: 'true', SHUTDOWN_SECONDS: '3', ...process.env };
  const programs = [
    createRestartableProgram(builtProgramPath('api'), { env, inspectPort: 9229 }),
    createRestartableProgram(builtProgramPath('processor'), { env, inspectPort: 9230 }),
  ];
  // A separate process group, so that Ctrl-C reaches only this process, which stops the programs in order.
  const compiler = spawn('node_modules/.bin/nest', ['build', '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(compiler.stdout).on('line', (line) => {
    printProgress(line);
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
