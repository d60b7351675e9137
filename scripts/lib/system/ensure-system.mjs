import { capture, findCommand, lastLine, usualReason } from '../command.mjs';
import { say, Trouble } from '../trouble.mjs';
import { apt } from './apt.mjs';

/** @typedef {import('./needs.mjs').Need} Need */

/**
 * Installs what is missing, through apt-get or brew; says what and why. Does nothing when all is there: what is optional
 * comes along with other things, and never keeps anybody waiting by itself.
 *
 * @param {readonly Need[]} needs
 */
export async function ensureSystem(needs) {
  const missing = await missingOf(needs);
  const wanted = missing.filter((need) => !need.optional);
  if (wanted.length === 0) return;
  await installAll(wanted);
  for (const need of missing.filter(({ optional }) => optional)) {
    await installAll([need]).catch((error) => {
      if (!(error instanceof Trouble)) throw error;
      say(`${error.message} Going on without it.`);
    });
  }
}

/** @param {readonly Need[]} missing @throws Trouble */
async function installAll(missing) {
  const manager = await findManager(missing);
  const packages = [...new Set(missing.flatMap((need) => need[manager.kind]))];
  for (const need of missing) say(`Missing: ${need.what}, which ${need.why}.`);
  if (packages.length > 0) {
    say(`Installing ${packages.join(', ')} with ${manager.name} ...`);
    const { code, output } = await manager.install(packages);
    if (code !== 0) {
      const usual = usualReason(output);
      const line = `Installing failed: ${usual ?? lastLine(output)}. By hand: ${manager.byHand(packages)}`;
      throw new Trouble(line, usual ? '' : output);
    }
  }
  for (const need of await missingOf(missing)) {
    const only = `${need.what} cannot be had through ${manager.name}`;
    if (need[manager.kind].length === 0) say(`${only}: tests that need it are skipped.`);
    else throw new Trouble(`${packages.join(', ')} were installed, but ${need.what} is still missing.`);
  }
}

/** @param {readonly Need[]} needs */
async function missingOf(needs) {
  const found = await Promise.all(needs.map((need) => need.find()));
  return needs.filter((_, index) => !found[index]);
}

/** @param {readonly Need[]} missing */
async function findManager(missing) {
  if (await findCommand('apt-get')) return apt(missing);
  if (await findCommand('brew')) {
    return {
      kind: /** @type {const} */ ('brew'),
      name: 'brew',
      byHand: (packages) => `brew install ${packages.join(' ')}`,
      install: (packages) => capture('brew', ['install', ...packages]),
    };
  }
  const names = missing.map((need) => need.what).join(', ');
  throw new Trouble(`This system has neither apt-get nor brew. Install by hand, then try again: ${names}.`);
}
