import { accessSync, constants, readFileSync, readlinkSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';
const POLL_MS = 500;

/**
 * Sends SIGTERM to this process when the npm that started it has ended: npm forwards only SIGTERM and SIGINT, and nothing
 * when it is killed. Does nothing without npm.
 */
export function exitWhenNpmExits() {
  if (process.env.npm_lifecycle_event === undefined) return;
  // A shell between npm and this process outlives npm, so its parent is watched too. The parent of npm is not watched: a
  // service in the background continues when its terminal closes.
  const generations = runsNpm(process.ppid) ? 1 : 2;
  const initialAncestors = listAncestors(generations);
  const timer = setInterval(() => {
    if (listAncestors(generations) === initialAncestors) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

/** Assumed without /proc: scripts of package.json begin with `exec`, so npm is the parent. */
function runsNpm(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.env.npm_node_execpath;
  } catch {
    return true;
  }
}

function listAncestors(generations) {
  const parent = process.ppid;
  return generations === 1 ? String(parent) : `${parent} ${findParent(parent)}`;
}

function findParent(pid) {
  try {
    return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Wraps a command so that the kernel kills it when this process ends, on systems with setpriv (Linux).
 *
 * @param {string} command @param {readonly string[]} parameters
 * @returns {[string, string[]]}
 */
export function killWithParent(command, parameters) {
  try {
    accessSync(SETPRIV, constants.X_OK);
  } catch {
    return [command, [...parameters]];
  }
  return [SETPRIV, ['--pdeathsig', 'KILL', command, ...parameters]];
}
