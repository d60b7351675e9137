import { type ChildProcess, execFile, fork } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THIS_HOST } from '../../support/test-host.js';
import { until } from './until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 90_000;
const COMMAND_MS = 100_000;

export type App = 'api' | 'processor' | 'admin';
export type Environment = Record<string, string>;

export interface ProgramExit {
  code: number | null;
  signal: string | null;
}

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A built program of the service. It exits when the channel to this process closes for any reason. */
export class Program {
  readonly ended: Promise<ProgramExit>;
  private exit: ProgramExit | undefined;
  private ready = false;

  private constructor(
    private readonly child: ChildProcess,
    readonly logFile: string,
  ) {
    child.on('message', () => (this.ready = true));
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve((this.exit = { code, signal })));
    });
  }

  /** Its output is appended to `logFile`. @param root the folder of the version, default this one */
  static launch(
    app: App,
    args: string[],
    env: Environment,
    logFile: string,
    root = ROOT,
    host = THIS_HOST,
  ): Program {
    const [execPath, ...execArgv] = [...host.enter, process.execPath];
    const log = openSync(logFile, 'a', 0o600);
    try {
      const child = fork(mainPath(app, root), args, {
        cwd: root,
        env: buildEnvironment(env),
        execPath,
        execArgv,
        stdio: ['ignore', log, log, 'ipc'],
      });
      return new Program(child, logFile);
    } finally {
      closeSync(log);
    }
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
  }

  /** It has reported ready, and has not exited since. */
  get isReady(): boolean {
    return this.ready && this.exit === undefined;
  }

  /** Resolves when the program reports that it is ready. @throws Error with its last log lines when it exits or is too slow */
  async waitUntilReady(withinMs = READY_MS): Promise<void> {
    await until(
      'the program is ready or has exited',
      () => this.ready || this.exit !== undefined,
      withinMs,
    ).catch(async (cause: unknown) => {
      throw new Error(`not ready after ${withinMs} ms:\n${await this.lastLogLines()}`, { cause });
    });
    if (!this.ready) throw new Error(`exited before it was ready:\n${await this.lastLogLines()}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends SIGTERM. @returns how it exited. */
  async stop(): Promise<ProgramExit> {
    this.kill('SIGTERM');
    return this.ended;
  }

  private async lastLogLines(): Promise<string> {
    return (await readFile(this.logFile, 'utf8')).split('\n').slice(-15).join('\n');
  }
}

/** Runs a built program to its end. */
export function runProgram(app: App, args: string[], env: Environment): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: ROOT,
      env: buildEnvironment(env),
      timeout: COMMAND_MS,
      killSignal: 'SIGKILL',
    } as const;
    execFile(process.execPath, [mainPath(app), ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error ?? new Error('no exit code'));
    });
  });
}

/** The path of the main file of a program. @throws Error when it is not built. */
export function mainPath(app: App, root = ROOT): string {
  const main = join(root, `dist/apps/${app}/src/main.js`);
  if (!existsSync(main))
    throw new Error('There is no build: run `npm run build`, or the suite by `npm test`.');
  return main;
}

/** The environment of a program under test, without the settings in the environment of the test run. */
export function buildEnvironment(env: Environment): Environment {
  const { PATH = '', TMPDIR = '/tmp', HOME = '/' } = process.env;
  return { PATH, TMPDIR, HOME, ...env };
}
