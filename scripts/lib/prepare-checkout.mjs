import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryLock } from '../../libs/database/src/embedded/supervisor/process-lock.mjs';
import { ensureBuilt } from './build.mjs';
import { assertNoProgramWouldLoseItsBuild, mustKeepBuild } from './keep-build.mjs';
import { assertNodeVersion } from './node-version.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';
import { ROOT } from './root.mjs';
import { ensureSystemPrograms } from './system/ensure-system-programs.mjs';
import { PROGRAMS_FOR_SERVICE, PROGRAMS_FOR_TESTS } from './system/required-programs.mjs';
import { printProgress, UserFacingError } from './user-facing-error.mjs';

const LOCK_TIMEOUT_MS = 20 * 60_000;

/**
 * @typedef {object} Options
 * @property {boolean} [system] installs the system programs of the service
 * @property {boolean} [tests] with `system`: also those that most tests need
 * @property {readonly import('./system/required-programs.mjs').Need[]} [programs] other system programs to install
 * @property {boolean} [build] builds what has changed
 * @property {boolean} [rebuild] the build is replaced in any case: here, or without `build` by the work
 * @property {boolean} [forRun] uses an existing build that must not change
 */

/**
 * Checks the version of Node, and installs npm packages and system programs and builds if necessary, but changes neither packages
 * nor build of running programs. Concurrent commands wait for each other.
 *
 * @template [T=void]
 * @param {Options} [options]
 * @param {(unlock: () => Promise<void>) => Promise<T>} [work] is done before another command may prepare the checkout, unless it
 *   calls `unlock` earlier
 * @returns {Promise<T>} the result of the work
 * @throws UserFacingError
 */
export async function prepareCheckout(options = {}, work = async () => /** @type {T} */ (undefined)) {
  const {
    system = true,
    tests = false,
    programs = [],
    build = true,
    rebuild = false,
    forRun = false,
  } = options;
  assertNodeVersion(process.versions.node);
  const needs = [
    ...(system ? PROGRAMS_FOR_SERVICE : []),
    ...(system && tests ? PROGRAMS_FOR_TESTS : []),
    ...programs,
  ];
  const workWithKeptBuild = async () => {
    await ensureSystemPrograms(needs);
    return work(async () => undefined);
  };
  if (forRun && (await mustKeepBuild())) return workWithKeptBuild();
  const unlock = await acquirePrepareLock();
  try {
    // The command that had the lock may have started programs.
    if (forRun && (await mustKeepBuild())) {
      await unlock();
      return await workWithKeptBuild();
    }
    await assertNoProgramWouldLoseItsBuild({ build, rebuild });
    await ensureNpmPackages();
    await ensureSystemPrograms(needs);
    if (build) await ensureBuilt({ all: rebuild });
    return await work(unlock);
  } finally {
    await unlock();
  }
}

/** @returns {Promise<() => Promise<void>>} releases the lock; may be called again */
async function acquirePrepareLock() {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  let isReported = false;
  while (Date.now() < deadline) {
    const lock = await tryLock(join(ROOT, '.cache'), 'prepare').catch((error) => {
      throw new UserFacingError(`${ROOT} is not writable: ${error.message}`);
    });
    if (lock) {
      /** @type {Promise<void> | undefined} */
      let released;
      return () => (released ??= lock.release());
    }
    if (!isReported) printProgress('Another command is preparing this checkout; waiting for it ...');
    isReported = true;
    await pause(200);
  }
  throw new UserFacingError(
    'Another command has been preparing this checkout for too long. End it and try again.',
  );
}
