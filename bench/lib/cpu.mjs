/** Processor time of processes, from Linux's /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** What /proc counts in: Linux shows every program a hundred ticks a second. */
const TICKS_PER_SECOND = 100;

/**
 * @typedef {object} ProcessTimes
 * @property {string} name first 15 characters of the program's name
 * @property {number} parent
 * @property {number} own seconds of processor time, all threads
 * @property {number} reaped seconds of all descendants that have ended and were waited for
 */

/** @param {number} pid @returns {Promise<ProcessTimes | undefined>} undefined when there is no such process */
export async function timesOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (text === undefined) return undefined;
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
 * parent when it ends, so the difference of two sums misses nothing.
 *
 * @param {number} root pid
 */
export async function secondsOfTree(root) {
  return sumOf([...(await treeOf(root)).values()]);
}

/** @param {number} root pid @returns {Promise<Map<number, ProcessTimes>>} it and all its living descendants */
export async function treeOf(root) {
  return treeIn(await allTimes(), root);
}

/** @param {Map<number, ProcessTimes>} times @param {number} root */
function treeIn(times, root) {
  const tree = new Map();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const own = times.get(pid);
    if (own) tree.set(pid, own);
    for (const [child, { parent }] of times) if (parent === pid) open.push(child);
  }
  return tree;
}

/** @param {number} root pid @returns {Promise<number[]>} its living children */
export async function childrenOf(root) {
  return [...(await allTimes())].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
}

/**
 * The living children of a process, each with all that runs below it, under the name of the program at the end of that
 * line: programs of the service are started through others, which stay.
 *
 * @param {number} root pid @returns {Promise<Map<number, { name: string, seconds: number }>>}
 */
export async function familiesOf(root) {
  const times = await allTimes();
  const families = new Map();
  for (const [pid, { parent }] of times) {
    if (parent !== root) continue;
    const members = [...treeIn(times, pid).values()];
    families.set(pid, { name: members.at(-1)?.name ?? '', seconds: sumOf(members) });
  }
  return families;
}

/** @returns {Promise<Map<number, ProcessTimes>>} */
async function allTimes() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map(async (pid) => [pid, await timesOf(pid)]));
  return new Map(entries.filter(([, times]) => times !== undefined));
}

/** @param {readonly ProcessTimes[]} processes */
function sumOf(processes) {
  return processes.reduce((sum, { own, reaped }) => sum + own + reaped, 0);
}
