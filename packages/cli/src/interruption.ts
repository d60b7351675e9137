import { EXIT_CODE_BY_SIGNAL, InterruptedError, type InterruptingSignal } from './errors.js';

/** What is needed of `process`. */
export interface SignalledProcess {
  readonly pid: number;
  exitCode?: number | string | null | undefined;
  on(signal: InterruptingSignal, listener: () => void): unknown;
  removeAllListeners(signal: InterruptingSignal): unknown;
  kill(pid: number, signal: InterruptingSignal): unknown;
  exit(code?: number): unknown;
}

/** Lets a command end what it has begun when a signal asks the program to end. */
export class Interruption {
  private readonly controller = new AbortController();

  constructor(private readonly process: SignalledProcess) {
    for (const name of Object.keys(EXIT_CODE_BY_SIGNAL) as InterruptingSignal[])
      process.on(name, () => this.handle(name));
  }

  /** Aborts with an `InterruptedError`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * If SIGTERM or SIGHUP has interrupted the command, ends by that signal, as service managers expect. Otherwise, and also if the
   * command was done before it heard of the signal, ends with the exit code that is set.
   */
  endProcess(): void {
    const { process } = this;
    const reason: unknown = this.signal.reason;
    const name = reason instanceof InterruptedError ? reason.signal : 'SIGINT';
    if (name !== 'SIGINT' && process.exitCode === EXIT_CODE_BY_SIGNAL[name]) {
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    }
    // Also after the kill: a signal without a listener does not end the first process of a container.
    process.exit();
  }

  private handle(name: InterruptingSignal): void {
    if (!this.signal.aborted) this.controller.abort(new InterruptedError('Interrupted.', { signal: name }));
    // Whoever presses Ctrl-C again does not wait. Programs often send theirs twice, to the process and to its group.
    else if (name === 'SIGINT') this.process.exit(EXIT_CODE_BY_SIGNAL.SIGINT);
  }
}
