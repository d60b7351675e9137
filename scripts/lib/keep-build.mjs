import { access, constants, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuilt } from './build.mjs';
import { builtProgramPath } from './foreground.mjs';
import { ROOT } from './root.mjs';
import { printProgress } from './user-facing-error.mjs';

/**
 * Whether packages and build must not change, because the checkout belongs to another user or programs run from it. Prints
 * a line if the sources have changed since the build.
 */
export async function mustKeepBuild() {
  if (!(await isAccessible(builtProgramPath('admin'), constants.R_OK))) return false;
  const reason = await findReasonToKeep();
  if (!reason) return false;
  if (!(await isBuilt()))
    printProgress(`Using the existing build although the sources have changed: ${reason}.`);
  return true;
}

async function findReasonToKeep() {
  if (!(await isAccessible(ROOT, constants.W_OK))) return `this user may not write to ${ROOT}`;
  const running = await findRunningPrograms(join(ROOT, 'dist'));
  return running.length > 0 ? `programs run from it (process ${running.join(', ')}); stop them first` : '';
}

/** @param {string} path @param {number} mode */
function isAccessible(path, mode) {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the ids of processes that run a program of a build; none on systems without /proc.
 *
 * @param {string} build folder @returns {Promise<number[]>}
 */
export async function findRunningPrograms(build) {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  const programs = join(build, 'apps', '/');
  return ids
    .filter((_, at) => commands[at].split('\0').some((word) => word.startsWith(programs)))
    .map(Number);
}
