import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

/** Both null if the process could not be started. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const SIGNAL_EXIT_CODE_BASE = 128;
const SIGNALS = new Map(
  (Object.keys(constants.signals) as NodeJS.Signals[]).map((name) => [constants.signals[name], name]),
);

/** Wrappers exit with 128 plus the signal number when the program is killed; this restores the signal. */
export function restoreSignalFromExitCode(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  const killedBy = code === null ? undefined : SIGNALS.get(code - SIGNAL_EXIT_CODE_BASE);
  return killedBy === undefined ? { code, signal } : { code: null, signal: killedBy };
}

export function killProcessGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // The pid of an exited process may be reused.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already exited.
  }
}

/** Retains the last bytes of a stream, at most `capacity`. */
export class TailBuffer {
  private tail: Buffer = Buffer.alloc(0);

  constructor(private readonly capacity: number) {}

  push(bytes: Buffer): void {
    const joined = bytes.length >= this.capacity ? bytes : Buffer.concat([this.tail, bytes]);
    // Copies, so that the large buffer behind the slice can be freed.
    this.tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.capacity)));
  }

  toString(): string {
    return this.tail.toString('utf8');
  }
}
