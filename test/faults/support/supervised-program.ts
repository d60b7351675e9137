import { type ProgramExit, type Environment, Program } from '../../e2e/support/program.js';
import { until } from '../../e2e/support/until.js';

const RESTART_MS = 200;
/** Shorter than the time limit of a test, so that the error of a test that waits in vain names the reason. */
const READY_MS = 60_000;
/** The time limit of one wait; the next one uses the program that has been started meanwhile. */
const ATTEMPT_MS = 10_000;

/** A program that is restarted whenever it exits, like by a service manager. */
export class SupervisedProgram {
  private program: Program;
  private timer: NodeJS.Timeout | undefined;
  private shouldRun = true;

  private constructor(
    private readonly launch: (env: Environment) => Program,
    private env: Environment,
  ) {
    this.program = this.launchSupervised();
  }

  /** Resolves at once; `untilReady` waits for it. */
  static start(app: 'api' | 'processor', env: Environment, logFile: string): SupervisedProgram {
    return new SupervisedProgram((settings) => Program.launch(app, [], settings, logFile), env);
  }

  get pid(): number {
    return this.program.pid;
  }

  /** Whether it has reported ready. */
  get isUp(): boolean {
    return this.program.isReady;
  }

  /** Restarts it as often as necessary. @throws Error with the last log lines of the program */
  async untilReady(): Promise<void> {
    await until('the program is ready', () => this.program.untilReady(ATTEMPT_MS).then(() => true), READY_MS);
  }

  /** After SIGKILL, resolves when the program has been restarted. */
  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { program } = this;
    program.kill(signal);
    if (signal !== 'SIGKILL') return;
    await program.ended;
    await until('it was started again', () => this.program !== program);
  }

  /** Sends SIGTERM; it stays stopped until it is started again. */
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
    return this.untilReady();
  }

  private launchSupervised(): Program {
    const program = this.launch(this.env);
    void this.restartAfter(program);
    return program;
  }

  private async restartAfter(program: Program): Promise<void> {
    await program.ended;
    if (this.shouldRun) this.timer = setTimeout(() => (this.program = this.launchSupervised()), RESTART_MS);
  }
}
