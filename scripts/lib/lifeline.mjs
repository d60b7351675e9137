import { accessSync, constants, readFileSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';
const LOOK_MS = 500;

/**
 * Ends this process like a Ctrl-C when the npm that started it is gone (killed with -9 it tells nobody). Between npm
 * and us stands a shell that would outlive it, so its parent is looked at too. Started without npm, nothing is watched.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = ancestry();
  const timer = setInterval(() => {
    if (ancestry() === before) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}

/** Parent and grandparent; the latter only where the system has /proc. */
function ancestry() {
  const parent = process.ppid;
  try {
    return `${parent} ${/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8'))?.[1]}`;
  } catch {
    return String(parent);
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
