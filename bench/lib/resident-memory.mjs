import { writeFileSync } from 'node:fs';
import { readProcFile } from './process-times.mjs';

/**
 * Current and peak resident memory of a process in bytes.
 *
 * @param {number} pid @returns {{ now: number, peak: number } | undefined} undefined if there is no such process
 */
export function readResidentMemory(pid) {
  const status = readProcFile(pid, 'status');
  const bytes = (field) => Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  const found = { now: bytes('VmRSS'), peak: bytes('VmHWM') };
  return Number.isNaN(found.peak) ? undefined : found;
}

/** Resets the peak to the current value. @param {number} pid of a process of the same user */
export function resetPeakMemory(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
