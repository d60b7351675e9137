import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

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

/** What one run of an outside program may use. */
export interface ToolLimits {
  /** Bytes of address space; `Infinity` leaves them as they are. */
  memoryBytes: number;
  /** Seconds of processor time; `Infinity` leaves them as they are. */
  cpuSeconds: number;
  /** Bytes of the largest file it may write; 0 forbids writing files. */
  fileBytes: number;
  /** Seconds from start to end, however busy the machine is. */
  wallSeconds: number;
  /** Seconds that a reader of its output waits for the next bytes. Streams only. */
  stallSeconds?: number;
}

/** Fixed, so that what runs does not depend on the environment of whoever started the service. */
const SEARCH_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/opt/homebrew/bin',
];

export const TOOL_PATH = SEARCH_FOLDERS.join(':');

/** The absolute path of a program, or null when it is not installed. */
export async function locateExecutable(name: string): Promise<string | null> {
  const candidates = isAbsolute(name) ? [name] : SEARCH_FOLDERS.map((folder) => join(folder, name));
  for (const path of candidates) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

/** The absolute path of a program. Throws `ToolMissingError`. */
export async function findTool(tool: Tool): Promise<string> {
  const path = await locateExecutable(tool.name);
  if (path === null) throw new ToolMissingError(tool.name, tool.install);
  return path;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
