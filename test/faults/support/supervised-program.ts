import { type ProgramExit, type Environment, Program } from '../../e2e/support/program.js';
import { until } from '../../e2e/support/until.js';
import { THIS_HOST } from '../../support/test-host.js';

const RESTART_MS = 200;
/** Shorter than the timeout of a test, so that the error names the reason. */
const READY_MS = 60_000;
/** The timeout of one attempt; the next attempt waits for the process that has been started meanwhile. */
const ATTEMPT_MS = 10_000;

/** A program that is restarted whenever it exits, as a service manager does. */
export class SupervisedProgram {
  private program: Program;
  private timer: NodeJS.Timeout | undefined;
  private shouldRun = true;

  private constructor(
    private readonly launch: (env: Environment, root: string | undefined) => Program,
    private env: Environment,
    private root: string | undefined,
  ) {
    this.program = this.launchSupervised();
  }

  /** @param root the folder of the version to start with, default this one */
  static start(
    app: 'api' | 'processor',
    env: Environment,
    logFile: string,
    root?: string,
    host = THIS_HOST,
  ): SupervisedProgram {
    return new SupervisedProgram(
      (settings, folder) => Program.launch(app, [], settings, logFile, folder, host),
      env,
      root,
    );
  }

  get pid(): number {
    return this.program.pid;
  }

  get isReady(): boolean {
    return this.program.isReady;
  }

  /** Waits also across restarts. @throws Error with the last log lines of the program */
  async waitUntilReady(): Promise<void> {
    await until(
      'the program is ready',
      () => this.program.waitUntilReady(ATTEMPT_MS).then(() => true),
      READY_MS,
    );
  }

  /** After SIGKILL, resolves when the program has been restarted. */
  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { program } = this;
    program.kill(signal);
    if (signal !== 'SIGKILL') return;
    await program.ended;
    await until('the program was restarted', () => this.program !== program);
  }

  /** Kills it like `kill -9`; the program stays stopped until `restart`. */
  async killUntilRestart(): Promise<void> {
    this.shouldRun = false;
    clearTimeout(this.timer);
    this.program.kill('SIGKILL');
    await this.program.ended;
  }

  /** Sends SIGTERM; the program stays stopped until `restart`. */
  async stop(): Promise<ProgramExit> {
    this.shouldRun = false;
    clearTimeout(this.timer);
    return this.program.stop();
  }

  /** @param changes to its settings */
  restart(changes: Environment = {}): Promise<void> {
    this.env = { ...this.env, ...changes };
    this.shouldRun = true;
    this.program = this.launchSupervised();
    return this.waitUntilReady();
  }

  /** Starts the stopped program in this version. */
  upgrade(): Promise<void> {
    this.root = undefined;
    return this.restart();
  }

  private launchSupervised(): Program {
    const program = this.launch(this.env, this.root);
    void this.restartAfter(program);
    return program;
  }

  private async restartAfter(program: Program): Promise<void> {
    await program.ended;
    if (this.shouldRun) this.timer = setTimeout(() => (this.program = this.launchSupervised()), RESTART_MS);
  }
}
