import { accessSync, constants, readFileSync, readlinkSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';
const POLL_MS = 500;

/**
 * Ends this process in order when the npm that started it is gone: npm passes on SIGTERM and SIGINT only, and killed
 * with -9 or by SIGHUP it tells nobody. Started without npm, nothing is watched.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  // Where a shell stands between npm and us it would outlive npm, so its parent is watched, too. Never the parent of
  // npm: a service may go on when the terminal that started it in the background has closed.
  const generations = runsNpm(process.ppid) ? 1 : 2;
  const before = ancestors(generations);
  const timer = setInterval(() => {
    if (ancestors(generations) === before) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

/** Unknown where the system has no /proc: scripts of package.json begin with `exec`, so that npm is the parent. */
function runsNpm(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.env.npm_node_execpath;
  } catch {
    return true;
  }
}

/** The process ids of the parent and, of two generations, of its parent. */
function ancestors(generations) {
  const parent = process.ppid;
  return generations === 1 ? String(parent) : `${parent} ${parentOf(parent)}`;
}

function parentOf(pid) {
  try {
    return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * A command that is killed when we are, however that comes, where the system can do so (Linux).
 *
 * @param {string} command @param {readonly string[]} parameters
 * @returns {[string, string[]]}
 */
export function boundToUs(command, parameters) {
  try {
    accessSync(SETPRIV, constants.X_OK);
  } catch {
    return [command, [...parameters]];
  }
  return [SETPRIV, ['--pdeathsig', 'KILL', command, ...parameters]];
}
