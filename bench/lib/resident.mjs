import { writeFileSync } from 'node:fs';
import { readProc } from './cpu.mjs';

/**
 * Bytes of memory that a process holds, and the most that it ever held, as the kernel keeps it.
 *
 * @param {number} pid @returns {{ now: number, peak: number } | undefined} undefined when there is no such process
 */
export function residentOf(pid) {
  const status = readProc(pid, 'status');
  const bytes = (field) => Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  const found = { now: bytes('VmRSS'), peak: bytes('VmHWM') };
  return Number.isNaN(found.peak) ? undefined : found;
}

/** The peak begins anew, at what is held now. @param {number} pid of a process of the same user */
export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
