import { access, constants, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuilt } from './build.mjs';
import { builtProgramPath } from './foreground.mjs';
import { areNpmPackagesInstalled } from './npm-packages.mjs';
import { ROOT } from './root.mjs';
import { printProgress, UserFacingError } from './user-facing-error.mjs';

/**
 * Whether packages and build must not change, because the checkout belongs to another user or programs run from it. Prints
 * a line if the build may not be of the current sources.
 */
export async function mustKeepBuild() {
  if (!(await isAccessible(builtProgramPath('admin'), constants.R_OK))) return false;
  const reason = await findReasonToKeep();
  if (!reason) return false;
  if (!(await isBuilt()))
    printProgress(`Using the existing build, which may not be of the current sources: ${reason}.`);
  return true;
}

async function findReasonToKeep() {
  if (!(await isAccessible(ROOT, constants.W_OK))) return `this user may not write to ${ROOT}`;
  const running = await findRunningPrograms(join(ROOT, 'dist'));
  return running.length > 0 ? `programs run from it (process ${running.join(', ')}); stop them first` : '';
}

/**
 * Allows programs to run if neither packages nor build will change.
 *
 * @param {{ build?: boolean, rebuild?: boolean }} change build: of what has changed; rebuild: in any case
 * @throws UserFacingError that names their processes
 */
export async function assertNoProgramWouldLoseItsBuild(change) {
  const running = await findRunningPrograms(join(ROOT, 'dist'));
  if (running.length === 0) return;
  const reason = await findReasonToReplace(change);
  if (reason === undefined) return;
  throw new UserFacingError(
    `Programs run from this checkout (process ${running.join(', ')}), and ${reason}: stop them first.`,
  );
}

async function findReasonToReplace({ build = false, rebuild = false }) {
  if (!(await areNpmPackagesInstalled())) return 'package-lock.json has changed';
  if (rebuild) return 'this command would replace their build';
  return build && !(await isBuilt()) ? 'their build may not be of the current sources' : undefined;
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
async function findRunningPrograms(build) {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  const programs = join(build, 'apps', '/');
  return ids
    .filter((_, at) => commands[at].split('\0').some((word) => word.startsWith(programs)))
    .map(Number);
}
