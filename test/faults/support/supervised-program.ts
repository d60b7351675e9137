import { type ProgramExit, type Environment, Program } from '../../e2e/support/program.js';
import { until } from '../../e2e/support/until.js';

const RESTART_MS = 200;
/** Shorter than the time limit of a test, so that a test that waits in vain says for what. */
const READY_MS = 60_000;
/** After it the program is looked up anew: it may have been restarted. */
const ATTEMPT_MS = 10_000;

/** A program that is started again whenever it ends, as a service manager does. */
export class SupervisedProgram {
  private program: Program;
  private timer: NodeJS.Timeout | undefined;
  private wanted = true;

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

  /** It works, as far as it has said. */
  get isUp(): boolean {
    return this.program.isReady;
  }

  /** However often it has to be started for that. @throws Error with the last log lines of the program */
  async untilReady(): Promise<void> {
    await until('the program is ready', () => this.program.untilReady(ATTEMPT_MS).then(() => true), READY_MS);
  }

  /** After SIGKILL it is gone, and about to be started again, when this resolves. */
  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { program } = this;
    program.kill(signal);
    if (signal !== 'SIGKILL') return;
    await program.ended;
    await until('it was started again', () => this.program !== program);
  }

  /** SIGTERM, and it stays away until `again`. */
  async stop(): Promise<ProgramExit> {
    this.wanted = false;
    clearTimeout(this.timer);
    return this.program.stop();
  }

  /** @param changes of its settings */
  startAgain(changes: Environment = {}): Promise<void> {
    this.env = { ...this.env, ...changes };
    this.wanted = true;
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
    if (this.wanted) this.timer = setTimeout(() => (this.program = this.launchSupervised()), RESTART_MS);
  }
}
