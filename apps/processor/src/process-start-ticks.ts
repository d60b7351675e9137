import { readFileSync } from 'node:fs';

/** Index among the fields after the program name, which may contain any character. */
const START_TIME_FIELD = 19;

/**
 * Returns the start time of a process in clock ticks since boot, which distinguishes processes that had the same
 * id. 0 on systems other than Linux, and for an unknown process.
 */
export function readProcessStartTicks(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(line.slice(line.lastIndexOf(') ') + 2).split(' ')[START_TIME_FIELD] ?? 0);
  } catch {
    return 0;
  }
}
