import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCaptured, explainInstallFailure } from './command.mjs';
import { ROOT } from './root.mjs';
import { printProgress, UserFacingError } from './user-facing-error.mjs';

const MAX_SHOWN_LINES = 15;
const LOCK_FILE = join(ROOT, 'package-lock.json');

/** Whether the packages of package-lock.json are installed. */
export async function areNpmPackagesInstalled() {
  const [wanted, installed] = await Promise.all([readLock(LOCK_FILE), readInstalled()]);
  return wanted !== undefined && installed !== undefined && !findLockDifference(wanted, installed);
}

/**
 * Installs the packages of package-lock.json unless they are installed.
 *
 * Uses `npm install` and compares the result: `npm ci` rejects a lock file that lacks an optional package of another
 * system.
 */
export async function ensureNpmPackages() {
  const wanted = await readLock(LOCK_FILE);
  if (!wanted)
    throw new UserFacingError(`package-lock.json is missing in ${ROOT}: this is not a complete checkout.`);
  const installed = await readInstalled();
  if (installed && !findLockDifference(wanted, installed)) return;
  printProgress(
    `Installing npm packages (${installed ? 'package-lock.json has changed' : 'none are installed'}) ...`,
  );
  // Without npm's own lock file an earlier installation was interrupted at an unknown point.
  if (!installed) await rm(join(ROOT, 'node_modules'), { recursive: true, force: true });
  const flags = ['--no-save', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
  const { code, output } = await runCaptured('npm', ['install', ...flags]);
  if (code === 127)
    throw new UserFacingError('The command npm is missing; it comes with Node: https://nodejs.org/.');
  if (code !== 0) {
    const outputLines = output.trim().split('\n').slice(0, MAX_SHOWN_LINES);
    const knownReason = explainInstallFailure(output);
    const reason =
      knownReason ?? outputLines.find((line) => !/^npm error code/.test(line)) ?? 'npm printed no reason';
    throw new UserFacingError(
      `The npm packages could not be installed: ${reason}.`,
      knownReason ? '' : outputLines.join('\n'),
    );
  }
  const difference = findLockDifference(wanted, (await readInstalled()) ?? {});
  if (difference)
    throw new UserFacingError(`package.json and package-lock.json contradict each other: ${difference}.`);
}

function readInstalled() {
  return readLock(join(ROOT, 'node_modules', '.package-lock.json'));
}

/**
 * @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean }>} LockedPackages
 */

/** @param {string} path @returns {Promise<LockedPackages | undefined>} */
async function readLock(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Returns the first package that is missing or of another version. Optional packages of other systems may be missing.
 *
 * @param {LockedPackages} wanted @param {LockedPackages} installed
 */
export function findLockDifference(wanted, installed) {
  return Object.keys(wanted).find((path) => {
    if (path === '' || wanted[path].link) return false;
    const found = installed[path];
    return found ? found.version !== wanted[path].version : !wanted[path].optional;
  });
}
