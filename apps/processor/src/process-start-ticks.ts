import { readFileSync } from 'node:fs';

/** Of the fields behind the name of the program, which may hold anything. */
const START_TIME_FIELD = 19;

/**
 * When a process began, in ticks since its machine did: processes that had a number one after the other differ in it.
 * 0 where the system does not tell (it is not Linux, or there is no such process).
 */
export function readProcessStartTicks(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(line.slice(line.lastIndexOf(') ') + 2).split(' ')[START_TIME_FIELD] ?? 0);
  } catch {
    return 0;
  }
}
