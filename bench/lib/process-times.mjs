/**
 * CPU time of processes, from /proc. Reads synchronously and only the processes of a tree: reading all processes with promises
 * ten times a second took 15 % of a core.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc, on every Linux. */
const TICKS_PER_SECOND = 100;

/**
 * @typedef {object} ProcessTimes
 * @property {string} name first 15 characters of the program name
 * @property {number} parent
 * @property {number} own CPU seconds of all threads
 * @property {number} reaped CPU seconds of descendants that ended and were waited for
 */

/** @param {number} pid @returns {ProcessTimes | undefined} undefined if there is no such process */
export function readProcessTimes(pid) {
  const text = readProcFile(pid, 'stat');
  if (text === '') return undefined;
  // The name is in parentheses and may contain any character.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const [parent, user, system, reapedUser, reapedSystem] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  );
  return {
    name: text.slice(text.indexOf('(') + 1, close),
    parent,
    own: (user + system) / TICKS_PER_SECOND,
    reaped: (reapedUser + reapedSystem) / TICKS_PER_SECOND,
  };
}

/**
 * CPU seconds of a process and all its descendants, ended ones included: the time of a child is added to its parent when it
 * ends, so the difference of two sums misses only processes that were killed with their parent.
 *
 * @param {number} root pid
 */
export function sumCpuSecondsOfTree(root) {
  return sumSeconds([...readProcessTree(root).values()]);
}

/** @param {number} root pid @returns {Map<number, ProcessTimes>} it and its running descendants, parents first */
export function readProcessTree(root) {
  const tree = new Map();
  const open = [root];
  for (const pid of open) {
    const times = readProcessTimes(pid);
    if (times) tree.set(pid, times);
    open.push(...listChildPids(pid));
  }
  return tree;
}

/** @param {number} pid @returns {number[]} its running children, including those of other threads */
export function listChildPids(pid) {
  const lists = listThreadIds(pid).map((thread) => readProcFile(pid, `task/${thread}/children`));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/**
 * CPU time of the running children of a process with their descendants, named after the last descendant, because the
 * service starts programs through wrappers.
 *
 * @param {number} root pid @returns {Map<number, { name: string, seconds: number }>}
 */
export function readChildTrees(root) {
  const trees = new Map();
  for (const child of listChildPids(root)) {
    const members = [...readProcessTree(child).values()];
    trees.set(child, { name: members.at(-1)?.name ?? '', seconds: sumSeconds(members) });
  }
  return trees;
}

/** @param {readonly ProcessTimes[]} processes */
function sumSeconds(processes) {
  return processes.reduce((sum, { own, reaped }) => sum + own + reaped, 0);
}

/** @param {number} pid */
function listThreadIds(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** @returns an empty string if the process has ended @param {number} pid @param {string} file below its folder in /proc */
export function readProcFile(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
