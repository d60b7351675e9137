import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  quoteArgument,
  startAtTerminal,
  startProgram,
  type StartedProgram,
} from '../../support/started-program.js';

const COMMAND_MS = 100_000;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The path of the packed program `zephyr`, as npm has installed it. */
export const getProgramPath = () => join(inject('installedPackages'), 'node_modules', '.bin', 'zephyr');

/** Runs the packed program `zephyr` with a home folder of its own, which is also its working folder. */
export class InstalledCommandLine {
  private readonly running = new Set<ChildProcess>();

  private constructor(
    readonly home: string,
    private readonly variables: Record<string, string>,
  ) {}

  /** @param variables of every command, besides `PATH` and `HOME` */
  static async create(variables: Record<string, string>): Promise<InstalledCommandLine> {
    return new InstalledCommandLine(await mkdtemp(join(tmpdir(), 'zephyr-cli-')), variables);
  }

  /** Runs a command to its end. */
  run(
    parameters: readonly string[],
    { input = '', env = {} }: { input?: string | Buffer; env?: Record<string, string> } = {},
  ): Promise<CommandResult> {
    return new Promise((resolve) => {
      const options = { env: this.environment(env), cwd: this.home, timeout: COMMAND_MS };
      const child = execFile(getProgramPath(), parameters, options, (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          stdout,
          stderr,
        }),
      );
      // A command that has ended does not read it.
      child.stdin?.on('error', () => undefined).end(input);
    });
  }

  /** Starts a command whose outputs are pipes. It is killed after `COMMAND_MS`. */
  start(parameters: readonly string[], env: Record<string, string> = {}): StartedProgram {
    return this.track(startProgram(getProgramPath(), parameters, this.buildStartOptions(env)));
  }

  /** Starts a command at a terminal of its own, of 100 columns. */
  startAtTerminal(parameters: readonly string[], env: Record<string, string> = {}): StartedProgram {
    const command = ['stty cols 100;', 'exec', ...[getProgramPath(), ...parameters].map(quoteArgument)];
    return this.track(startAtTerminal(command.join(' '), this.buildStartOptions(env)));
  }

  /**
   * As `startAtTerminal`, for a terminal that is closed before the command ends: killing the program does that.
   * @param exitCodeFile in the home folder; gets the exit code of the command, that of a shell after a signal
   */
  startAtClosedTerminal(parameters: readonly string[], exitCodeFile: string): StartedProgram {
    const command = [getProgramPath(), ...parameters].map(quoteArgument).join(' ');
    // The terminal sends the signal to the shell only, as to one of a person, and it interrupts the first wait.
    const script = `stty cols 100; ${command} & trap "kill -HUP $!" HUP; wait $!; wait $!; echo $? > ${quoteArgument(exitCodeFile)}`;
    return this.track(startAtTerminal(script, this.buildStartOptions({})));
  }

  /** Kills what still runs, and removes the home folder. */
  async remove(): Promise<void> {
    for (const child of this.running) child.kill('SIGKILL');
    await rm(this.home, { recursive: true, force: true });
  }

  private buildStartOptions(env: Record<string, string>) {
    const killed = { timeout: COMMAND_MS, killSignal: 'SIGKILL' } as const;
    return { env: this.environment(env), cwd: this.home, ...killed };
  }

  private track(program: StartedProgram): StartedProgram {
    this.running.add(program.child);
    program.child.once('close', () => this.running.delete(program.child));
    return program;
  }

  private environment(env: Record<string, string>): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.home, ...this.variables, ...env };
  }
}
