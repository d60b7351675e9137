import type { ChildProcess } from 'node:child_process';

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
