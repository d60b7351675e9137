import { runCaptured, findCommand, lastLine, explainInstallFailure } from '../command.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';
import { createAptInstaller } from './apt.mjs';

/** @typedef {import('./required-programs.mjs').Need} Need */

/**
 * Installs missing programs with apt-get or brew, and prints why each is needed. If only optional programs are missing,
 * installs none.
 *
 * @param {readonly Need[]} needs
 */
export async function ensureSystemPrograms(needs) {
  const missing = await findMissing(needs);
  const required = missing.filter((need) => !need.optional);
  if (required.length === 0) return;
  await installMissing(required);
  for (const need of missing.filter(({ optional }) => optional)) {
    await installMissing([need]).catch((error) => {
      if (!(error instanceof UserFacingError)) throw error;
      printProgress(`${error.message} Continuing without it.`);
    });
  }
}

/** @param {readonly Need[]} missing @throws UserFacingError */
async function installMissing(missing) {
  const manager = await findManager(missing);
  const packages = [...new Set(missing.flatMap((need) => need[manager.kind]))];
  for (const need of missing) printProgress(`Missing: ${need.what}, which ${need.why}.`);
  if (packages.length > 0) {
    printProgress(`Installing ${packages.join(', ')} with ${manager.name} ...`);
    const { code, output } = await manager.install(packages);
    if (code !== 0) {
      const knownReason = explainInstallFailure(output);
      const line = `Installing failed: ${knownReason ?? lastLine(output)}. Run it yourself: ${manager.formatInstallCommand(packages)}`;
      throw new UserFacingError(line, knownReason ? '' : output);
    }
  }
  for (const need of await findMissing(missing)) {
    const only = `${manager.name} has no package of ${need.what}`;
    if (need[manager.kind].length === 0) printProgress(`${only}: tests that need it are skipped.`);
    else
      throw new UserFacingError(`${packages.join(', ')} were installed, but ${need.what} is still missing.`);
  }
}

/** @param {readonly Need[]} needs */
async function findMissing(needs) {
  const found = await Promise.all(needs.map((need) => need.find()));
  return needs.filter((_, index) => !found[index]);
}

/** @param {readonly Need[]} missing */
async function findManager(missing) {
  if (await findCommand('apt-get')) return createAptInstaller(missing);
  if (await findCommand('brew')) {
    return {
      kind: /** @type {const} */ ('brew'),
      name: 'brew',
      formatInstallCommand: (packages) => `brew install ${packages.join(' ')}`,
      install: (packages) => runCaptured('brew', ['install', ...packages]),
    };
  }
  const names = missing.map((need) => need.what).join(', ');
  throw new UserFacingError(
    `This system has neither apt-get nor brew. Install them yourself, then try again: ${names}.`,
  );
}
