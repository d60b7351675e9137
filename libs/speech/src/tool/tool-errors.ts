/** A program that the service relies on, and how a person gets it. */
export interface Tool {
  /** The program's file name, looked for in the usual folders, or an absolute path. */
  name: string;
  /** One sentence: which package to install. */
  install: string;
}

/** The program is not on this machine. The message tells what to install. */
export class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError';

  constructor(
    readonly tool: string,
    readonly install: string,
  ) {
    super(`${tool} is not installed. ${install}`);
  }
}

/** The program exceeded a limit of time and was ended. */
export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';

  constructor(
    readonly tool: string,
    readonly limit: 'wall' | 'stall' | 'cpu',
    readonly seconds: number,
  ) {
    super(`${tool} was ended: over its ${limit} limit of ${seconds} s.`);
  }
}

/** What the system sends to a program for what it did itself. */
const CRASH_SIGNALS: readonly (string | null)[] = [
  'SIGSEGV',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGABRT',
  'SIGTRAP',
  'SIGSYS',
];

/** The program ended with an error. `stderrTail` is for the log only, never for a caller of the API. */
export class ToolFailedError extends Error {
  override readonly name = 'ToolFailedError';

  constructor(
    readonly tool: string,
    /** Null when a signal ended it. */
    readonly exitCode: number | null,
    readonly signal: string | null,
    readonly stderrTail: string,
  ) {
    super(
      signal ? `${tool} was ended by ${signal}.` : `${tool} failed with exit code ${exitCode ?? 'unknown'}.`,
    );
  }

  /** Whether what it was given made it end; else somebody else ended it, or it never ran, and it may do well next time. */
  get isOwnFailure(): boolean {
    return this.exitCode !== null || CRASH_SIGNALS.includes(this.signal);
  }
}
