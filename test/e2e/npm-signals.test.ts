import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { createDataDir, removeDataDir } from './support/data-dir.js';
import { findProcesses, type RunningProcess } from './support/processes.js';
import { buildEnvironment } from './support/program.js';
import { createSharedDatabase } from './support/shared-postgres.js';
import { until } from './support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 90_000;
const EXIT_TIMEOUT_MS = 40_000;

interface RunningScript {
  npm: ChildProcess;
  dataDir: string;
}

/** The line that each program logs when its signal handlers are installed and it serves. */
const STARTUP_LINES: Record<string, RegExp> = {
  api: /"program":"api".*"msg":"listening"/,
  processor: /"program":"processor".*"msg":"ready, consuming the queues"/,
};

/**
 * Runs `npm run SCRIPT` like a process manager, without a terminal. `action` is called when the API is ready and every
 * program has logged its start. Every process is killed afterwards.
 *
 * @param isEmbedded whether its database is
 */
async function runWithNpm(
  { name: script, log: logFile, programs }: Script,
  isEmbedded: boolean,
  action: (started: RunningScript) => Promise<void>,
): Promise<void> {
  const dataDir = await createDataDir();
  const port = await findFreePort();
  const path = join(dataDir, 'npm.log');
  const log = openSync(path, 'a', 0o600);
  const database = isEmbedded ? undefined : await createSharedDatabase();
  const env = buildEnvironment({
    DATA_DIR: dataDir,
    PORT: String(port),
    DRAIN_SECONDS: '0',
    ...(database && { DATABASE_URL: database.url }),
  });
  const npm = spawn('npm', ['run', script], { cwd: ROOT, env, stdio: ['ignore', log, log] });
  closeSync(log);
  try {
    await until(
      `${script} is ready`,
      async () => {
        const ready = (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
        const logged = await readFile(join(dataDir, logFile), 'utf8');
        return ready && programs.every((program) => STARTUP_LINES[program]?.test(logged));
      },
      READY_MS,
    ).catch(async (error: unknown) => {
      throw new Error(`not ready:\n${await readFile(path, 'utf8')}`, { cause: error });
    });
    await action({ npm, dataDir });
  } finally {
    for (const { pid } of await findProcesses(dataDir)) if (pid !== process.pid) killIfRunning(pid);
    await removeDataDir(dataDir);
    await database?.drop();
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It exited without a signal.
  }
}

const waitUntilAllExited = async (dataDir: string) => {
  let remaining: RunningProcess[] = [];
  await until(
    'every program has exited',
    async () => (remaining = await findProcesses(dataDir)).length === 0,
    EXIT_TIMEOUT_MS,
  ).catch((error: unknown) => {
    throw new Error(`left running: ${remaining.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`, {
      cause: error,
    });
  });
};

interface Script {
  name: string;
  /** The log file of its programs. */
  log: string;
  programs: string[];
  /** npm forwards SIGTERM and SIGINT; after the others the programs only detect that npm has exited. */
  signals: NodeJS.Signals[];
  /** Those of which the programs run with the embedded database: the others are about the programs only. */
  embedded: NodeJS.Signals[];
}

const SCRIPTS: Script[] = [
  {
    name: 'start',
    log: 'npm.log',
    programs: ['api', 'processor'],
    signals: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'],
    embedded: ['SIGTERM', 'SIGKILL'],
  },
  { name: 'start:api', log: 'npm.log', programs: ['api'], signals: ['SIGTERM', 'SIGKILL'], embedded: [] },
  {
    name: 'demo',
    log: 'demo.log',
    programs: ['api', 'processor'],
    signals: ['SIGTERM', 'SIGKILL'],
    embedded: ['SIGTERM'],
  },
];

describe.each(SCRIPTS)('npm run $name', (script) => {
  it.concurrent.each(script.signals)(
    'shuts down all its programs gracefully when npm receives %s',
    async (signal) =>
      runWithNpm(script, script.embedded.includes(signal), async ({ npm, dataDir }) => {
        const ended = once(npm, 'exit');
        npm.kill(signal);
        await ended;
        await waitUntilAllExited(dataDir);
        const logged = await readFile(join(dataDir, script.log), 'utf8');
        for (const program of script.programs)
          expect(logged).toMatch(new RegExp(`"program":"${program}".*"msg":"stopped"`));
      }),
  );
});
