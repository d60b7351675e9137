import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

/** How a program ended: by itself with a code, by a signal, or (both null) it was never started. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const SIGNAL_EXIT_CODE_BASE = 128;
const SIGNALS = new Map(
  (Object.keys(constants.signals) as NodeJS.Signals[]).map((name) => [constants.signals[name], name]),
);

/** What a wrapper that waits for the program passes on as a code above 128, as shells do, is a signal again. */
export function toProcessExit(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  const passedOn = code === null ? undefined : SIGNALS.get(code - SIGNAL_EXIT_CODE_BASE);
  return passedOn === undefined ? { code, signal } : { code: null, signal: passedOn };
}

/** Kills a program that leads a process group, and all in that group; one that has ended is left alone. */
export function killProcessGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // Once it was waited for, its number may belong to another.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** Keeps the last bytes of a stream, never more than its capacity. */
export class TailBuffer {
  private tail: Buffer = Buffer.alloc(0);

  constructor(private readonly capacity: number) {}

  push(bytes: Buffer): void {
    const joined = bytes.length >= this.capacity ? bytes : Buffer.concat([this.tail, bytes]);
    // A copy, so that the large buffer behind a slice can go.
    this.tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.capacity)));
  }

  toString(): string {
    return this.tail.toString('utf8');
  }
}
