import { expect } from 'vitest';
import { listProcesses } from '../e2e/support/processes.js';

/** Finds the process that runs native models: the child process itself, or the program inside its sandbox. */
export async function findNativeHostPid(childPid: number): Promise<number> {
  let found: number | undefined;
  const findHost = async () => {
    const all = await listProcesses();
    const descendants = new Set([childPid]);
    for (const pid of descendants) for (const each of all) if (each.parent === pid) descendants.add(each.pid);
    const host = all.find(
      ({ pid, command }) => descendants.has(pid) && /^\S*node \S*host\.mjs$/.test(command),
    );
    return (found = host?.pid);
  };
  await expect.poll(findHost, { interval: 5 }).toBeDefined();
  return found ?? expect.unreachable();
}
