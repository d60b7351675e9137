/**
 * Processor time of processes, from Linux's /proc. Read at once, not through promises, and from the root of a tree down:
 * looking ten times a second through all processes by promises took 15 % of a core from what was measured.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** What /proc counts in: Linux shows every program a hundred ticks a second. */
const TICKS_PER_SECOND = 100;

/**
 * @typedef {object} ProcessTimes
 * @property {string} name first 15 characters of the program's name
 * @property {number} parent
 * @property {number} own seconds of processor time, all threads
 * @property {number} reaped seconds of all descendants that have ended and were waited for
 */

/** @param {number} pid @returns {ProcessTimes | undefined} undefined when there is no such process */
export function timesOf(pid) {
  const text = readProc(pid, 'stat');
  if (text === '') return undefined;
  // The name stands in brackets and may hold anything, brackets and blanks too.
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
 * Processor seconds of a process and all its descendants, the ended ones included: what a child used goes to its
 * parent when it ends, so the difference of two sums misses nothing but what was killed together with its parent.
 *
 * @param {number} root pid
 */
export function secondsOfTree(root) {
  return sumOf([...treeOf(root).values()]);
}

/** @param {number} root pid @returns {Map<number, ProcessTimes>} it and all its living descendants, parents first */
export function treeOf(root) {
  const tree = new Map();
  const open = [root];
  for (const pid of open) {
    const times = timesOf(pid);
    if (times) tree.set(pid, times);
    open.push(...childrenOf(pid));
  }
  return tree;
}

/** @param {number} pid @returns {number[]} its living children, those that other threads of it started, too */
export function childrenOf(pid) {
  const lists = threadsOf(pid).map((thread) => readProc(pid, `task/${thread}/children`));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/**
 * The living children of a process, each with all that runs below it, under the name of the program at the end of that
 * line: programs of the service are started through others, which stay.
 *
 * @param {number} root pid @returns {Map<number, { name: string, seconds: number }>}
 */
export function familiesOf(root) {
  const families = new Map();
  for (const child of childrenOf(root)) {
    const members = [...treeOf(child).values()];
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

/** Empty when the process has ended meanwhile. @param {number} pid @param {string} file below its folder in /proc */
export function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
