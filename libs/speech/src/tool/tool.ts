import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

export interface ExternalTool {
  /** File name, resolved in the usual folders, or absolute path. */
  name: string;
  /** One sentence that names the package to install. */
  install: string;
}

export class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError';

  constructor(
    readonly tool: string,
    readonly install: string,
  ) {
    super(`${tool} is not installed. ${install}`);
  }
}

export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';

  constructor(
    readonly tool: string,
    readonly limit: 'wall' | 'stall' | 'cpu',
    readonly seconds: number,
  ) {
    super(`${tool} was killed: it exceeded its ${limit} limit of ${seconds} s.`);
  }
}

/** Signals that a process causes itself. */
const CRASH_SIGNALS: readonly (string | null)[] = [
  'SIGSEGV',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGABRT',
  'SIGTRAP',
  'SIGSYS',
];

/** `stderrTail` is for the log only, never for API callers. */
export class ToolFailedError extends Error {
  override readonly name = 'ToolFailedError';

  constructor(
    readonly tool: string,
    /** Null when it was killed by a signal. */
    readonly exitCode: number | null,
    readonly signal: string | null,
    readonly stderrTail: string,
  ) {
    super(
      signal ? `${tool} was ended by ${signal}.` : `${tool} failed with exit code ${exitCode ?? 'unknown'}.`,
    );
  }

  /** Whether the input caused the failure. Otherwise the program was killed from outside or never ran: retryable. */
  get isOwnFailure(): boolean {
    return this.exitCode !== null || CRASH_SIGNALS.includes(this.signal);
  }
}

export interface ToolLimits {
  /** Bytes of address space; may be `Infinity`. */
  memoryBytes: number;
  /** Seconds of CPU time; may be `Infinity`. */
  cpuSeconds: number;
  /** Maximum size of a written file; 0 forbids writing. */
  fileBytes: number;
  /** Maximum number of open files; 64 by default. */
  openFiles?: number;
  wallSeconds: number;
  /** Maximum seconds between two outputs; `streamTool` only. */
  stallSeconds?: number;
}

/** Independent of the environment of the service. */
const SEARCH_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/opt/homebrew/bin',
];

export const TOOL_SEARCH_PATH = SEARCH_FOLDERS.join(':');

export async function findExecutableInSystemFolders(name: string): Promise<string | null> {
  const candidates = isAbsolute(name) ? [name] : SEARCH_FOLDERS.map((folder) => join(folder, name));
  for (const path of candidates) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

/** @throws ToolMissingError */
export async function locateRequiredTool(tool: ExternalTool): Promise<string> {
  const path = await findExecutableInSystemFolders(tool.name);
  if (path === null) throw new ToolMissingError(tool.name, tool.install);
  return path;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
