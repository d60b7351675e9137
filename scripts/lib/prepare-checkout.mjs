import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryLock } from '../../libs/database/src/embedded/supervisor/process-lock.mjs';
import { ensureBuilt } from './build.mjs';
import { mustKeepBuild } from './keep-build.mjs';
import { assertNodeVersion } from './node-version.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';
import { ROOT } from './root.mjs';
import { ensureSystemPrograms } from './system/ensure-system-programs.mjs';
import { PROGRAMS_FOR_SERVICE, PROGRAMS_FOR_TESTS } from './system/required-programs.mjs';
import { printProgress, UserFacingError } from './user-facing-error.mjs';

const LOCK_TIMEOUT_MS = 20 * 60_000;

/**
 * Checks the version of Node, and installs npm packages and system programs and builds if necessary. Concurrent commands
 * wait for each other.
 *
 * @param {{ tests?: boolean, system?: boolean, build?: boolean, forRun?: boolean }} [options] tests: also installs what only
 *   tests need; forRun: uses an existing build that must not change
 * @throws UserFacingError
 */
export async function prepareCheckout({ tests = false, system = true, build = true, forRun = false } = {}) {
  assertNodeVersion(process.versions.node);
  if (forRun && (await mustKeepBuild())) {
    if (system) await ensureSystemPrograms(PROGRAMS_FOR_SERVICE);
    return;
  }
  const release = await acquirePrepareLock();
  try {
    await ensureNpmPackages();
    if (system)
      await ensureSystemPrograms(
        tests ? [...PROGRAMS_FOR_SERVICE, ...PROGRAMS_FOR_TESTS] : PROGRAMS_FOR_SERVICE,
      );
    if (build) await ensureBuilt();
  } finally {
    await release();
  }
}

async function acquirePrepareLock() {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  let isReported = false;
  while (Date.now() < deadline) {
    const lock = await tryLock(join(ROOT, '.cache'), 'prepare').catch((error) => {
      throw new UserFacingError(`${ROOT} is not writable: ${error.message}`);
    });
    if (lock) return lock.release;
    if (!isReported) printProgress('Another command is preparing this checkout; waiting for it ...');
    isReported = true;
    await pause(200);
  }
  throw new UserFacingError(
    'Another command has been preparing this checkout for too long. End it and try again.',
  );
}
