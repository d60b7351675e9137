/**
 * CPU time of processes, from /proc. Reads synchronously, and from the root of a tree down: reading all processes ten times
 * a second by promises took 15 % of a core.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc, on every Linux. */
const TICKS_PER_SECOND = 100;

/**
 * @typedef {object} ProcessTimes
 * @property {string} name first 15 characters of the program's name
 * @property {number} parent
 * @property {number} own seconds of processor time, all threads
 * @property {number} reaped seconds of all descendants that have ended and were waited for
 */

/** @param {number} pid @returns {ProcessTimes | undefined} undefined when there is no such process */
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
  return sumOf([...readProcessTree(root).values()]);
}

/** @param {number} root pid @returns {Map<number, ProcessTimes>} it and all its living descendants, parents first */
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

/** @param {number} pid @returns {number[]} its living children, those that other threads of it started, too */
export function listChildPids(pid) {
  const lists = threadsOf(pid).map((thread) => readProcFile(pid, `task/${thread}/children`));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/**
 * Running children of a process with their descendants, under the name of the last program of that chain, because
 * programs of the service are started through wrappers.
 *
 * @param {number} root pid @returns {Map<number, { name: string, seconds: number }>}
 */
export function readChildTrees(root) {
  const families = new Map();
  for (const child of listChildPids(root)) {
    const members = [...readProcessTree(child).values()];
    families.set(child, { name: members.at(-1)?.name ?? '', seconds: sumOf(members) });
  }
  return families;
}

/** @param {readonly ProcessTimes[]} processes */
function sumOf(processes) {
  return processes.reduce((sum, { own, reaped }) => sum + own + reaped, 0);
}

/** @param {number} pid */
function threadsOf(pid) {
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
