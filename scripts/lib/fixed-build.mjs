import { access, constants, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuilt } from './build.mjs';
import { builtProgram } from './foreground.mjs';
import { ROOT } from './root.mjs';
import { say } from './trouble.mjs';

/**
 * Whether packages and build of this checkout have to stay as they are: it belongs to another user, or programs run from
 * it, whose files would change under them. Says so where the sources have changed since.
 */
export async function isBuildFixed() {
  if (!(await can(builtProgram('admin'), constants.R_OK))) return false;
  const reason = await whyFixed();
  if (!reason) return false;
  if (!(await isBuilt())) say(`Using the build that is there, though the sources have changed: ${reason}.`);
  return true;
}

async function whyFixed() {
  if (!(await can(ROOT, constants.W_OK))) return `this user may not write to ${ROOT}`;
  const running = await programsOf(join(ROOT, 'dist'));
  return running.length > 0 ? `programs run from it (process ${running.join(', ')}); stop them first` : '';
}

/** @param {string} path @param {number} mode */
function can(path, mode) {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/**
 * Ids of the processes that run a program of a build. None are found where the system has no /proc.
 *
 * @param {string} build folder @returns {Promise<number[]>}
 */
export async function programsOf(build) {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  const programs = join(build, 'apps', '/');
  return ids
    .filter((_, at) => commands[at].split('\0').some((word) => word.startsWith(programs)))
    .map(Number);
}
