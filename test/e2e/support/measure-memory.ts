import { readFile, writeFile } from 'node:fs/promises';

/** The largest increase of the resident memory of a process during the action, in bytes. Linux only. */
export async function measurePeakMemoryIncrease(
  pid: number,
  action: () => Promise<unknown>,
): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await readMemoryBytes(pid, 'VmRSS');
  await action();
  return (await readMemoryBytes(pid, 'VmHWM')) - before;
}

async function readMemoryBytes(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
}
