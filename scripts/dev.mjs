/**
 * `npm run dev`: API and processor with an embedded Postgres and a readable log, compiled and restarted on every change, and
 * the pages of the console, which are built again on every change.
 * Debuggers attach to 127.0.0.1:9229 (API) and 9230 (processor); `.vscode/launch.json` does so. Ctrl-C ends it.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CONSOLE_BUILT } from './lib/console-built.mjs';
import { builtProgramPath } from './lib/foreground.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { createRestartableProgram } from './lib/restartable-program.mjs';
import { ROOT } from './lib/root.mjs';
import { computeShutdownGraceMs } from './lib/shutdown-grace.mjs';
import { runScript, printProgress } from './lib/user-facing-error.mjs';

/** Printed by the compiler after each compilation, with the number of errors. */
const COMPILED = /Found (\d+) errors?/;

await runScript(async () => {
  exitWhenNpmExits();
  // The first compilation empties `dist`.
  return prepareCheckout({ build: false, rebuild: true }, runPrograms);
});

/** @param {() => Promise<void>} unlock lets other commands prepare the checkout @returns {Promise<number>} exit code */
async function runPrograms(unlock) {
  const env = { LOG_PRETTY: 'true', DEVELOPMENT_ACCOUNT: 'true', SHUTDOWN_SECONDS: '3', ...process.env };
  const options = { env, killMs: computeShutdownGraceMs(env) };
  const api = createRestartableProgram(builtProgramPath('api'), { ...options, inspectPort: 9229 });
  const processor = createRestartableProgram(builtProgramPath('processor'), {
    ...options,
    inspectPort: 9230,
  });
  const programs = [api, processor];
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let consoleBuild;
  const compiler = spawnWatcher('node_modules/.bin/nest', ['build', '--watch', '--preserveWatchOutput']);
  const code = await new Promise((resolve) => {
    const endWith = (watcher) => watcher.once('exit', () => resolve(1)).once('error', () => resolve(1));
    onLine(compiler, (line) => {
      const [, errors] = COMPILED.exec(line) ?? [];
      if (errors === undefined) return;
      if (errors === '0') for (const program of programs) program.restart();
      // Other commands now see the running programs.
      void unlock();
      if (errors !== '0' || consoleBuild) return;
      // Not before, because the first compilation empties the folder.
      consoleBuild = spawnWatcher(process.execPath, ['scripts/build-console.mjs', '--watch']);
      onLine(consoleBuild, (built) => built === CONSOLE_BUILT && api.restart());
      endWith(consoleBuild);
      // Once: pages are for readers, and the next start builds them again.
      spawn(process.execPath, ['scripts/build-guide.mjs'], { cwd: ROOT, stdio: 'inherit' });
    });
    endWith(compiler);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
  });
  compiler.kill();
  consoleBuild?.kill();
  await Promise.all(programs.map((program) => program.stop()));
  return code;
}

/** In a process group of its own, so that Ctrl-C reaches only this process, which stops the programs in order. */
function spawnWatcher(command, parameters) {
  return spawn(command, parameters, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
}

function onLine(watcher, handle) {
  createInterface(watcher.stdout).on('line', (line) => {
    printProgress(line);
    handle(line);
  });
}
