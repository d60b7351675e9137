import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryLock } from '../../libs/database/src/embedded/supervisor/process-lock.mjs';
import { ensureBuilt } from './build.mjs';
import { isBuildFixed } from './fixed-build.mjs';
import { checkNode } from './node-version.mjs';
import { ensurePackages } from './packages.mjs';
import { ROOT } from './root.mjs';
import { ensureSystem } from './system/ensure-system.mjs';
import { TO_RUN, TO_TEST } from './system/needs.mjs';
import { say, Trouble } from './trouble.mjs';

const WAIT_MS = 20 * 60_000;

/**
 * Makes the checkout ready to run: right Node, npm packages, programs of the system, a current build. What is there
 * already is left alone. Commands that start at the same time do it one after the other.
 *
 * @param {{ tests?: boolean, system?: boolean, build?: boolean, toRun?: boolean }} [options] tests: also what only tests
 *   need; toRun: the build is to be run, not tested, so that one that must not change is taken as it is
 * @throws Trouble
 */
export async function prepare({ tests = false, system = true, build = true, toRun = false } = {}) {
  checkNode(process.versions.node);
  if (toRun && (await isBuildFixed())) {
    if (system) await ensureSystem(TO_RUN);
    return;
  }
  const release = await takeTurn();
  try {
    await ensurePackages();
    if (system) await ensureSystem(tests ? [...TO_RUN, ...TO_TEST] : TO_RUN);
    if (build) await ensureBuilt();
  } finally {
    await release();
  }
}

async function takeTurn() {
  const deadline = Date.now() + WAIT_MS;
  let told = false;
  while (Date.now() < deadline) {
    const lock = await tryLock(join(ROOT, '.cache'), 'prepare').catch((error) => {
      throw new Trouble(`Nothing can be written to ${ROOT}: ${error.message}`);
    });
    if (lock) return lock.release;
    if (!told) say('Another command is preparing this checkout; waiting for it ...');
    told = true;
    await pause(200);
  }
  throw new Trouble('Another command has been preparing this checkout for too long. End it and try again.');
}
