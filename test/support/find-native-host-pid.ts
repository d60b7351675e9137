import { expect } from 'vitest';
import { listProcesses } from '../e2e/support/processes.js';

/** The process that runs native models: the child process itself, or the program inside its sandbox. */
export async function findNativeHostPid(started: number): Promise<number> {
  let found: number | undefined;
  const look = async () => {
    const all = await listProcesses();
    const family = new Set([started]);
    for (const pid of family) for (const each of all) if (each.parent === pid) family.add(each.pid);
    const host = all.find(({ pid, command }) => family.has(pid) && /^\S*node \S*host\.mjs$/.test(command));
    return (found = host?.pid);
  };
  await expect.poll(look, { interval: 5 }).toBeDefined();
  return found ?? expect.unreachable();
}
