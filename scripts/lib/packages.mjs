import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { capture, usualReason } from './command.mjs';
import { ROOT } from './root.mjs';
import { say, Trouble } from './trouble.mjs';

const SHOWN_LINES = 15;

/**
 * Brings node_modules in step with package-lock.json; says nothing and does nothing when it is.
 *
 * Not `npm ci`: that refuses a lock file made where a registry lacked some optional package of another system.
 * `npm install` takes the same versions from it, and what it installed is compared with it afterwards.
 */
export async function ensurePackages() {
  const wanted = await readLock(join(ROOT, 'package-lock.json'));
  if (!wanted) throw new Trouble(`package-lock.json is missing in ${ROOT}: this is no whole checkout.`);
  const installed = await readInstalled();
  if (installed && !firstDifference(wanted, installed)) return;
  say(`Installing npm packages (${installed ? 'package-lock.json has changed' : 'there are none yet'}) ...`);
  // Without npm's own record an earlier installation was broken off, and there is no telling how far it came.
  if (!installed) await rm(join(ROOT, 'node_modules'), { recursive: true, force: true });
  const flags = ['--no-save', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
  const { code, output } = await capture('npm', ['install', ...flags]);
  if (code === 127) throw new Trouble('The command npm is missing; it comes with Node: https://nodejs.org/.');
  if (code !== 0) {
    const said = output.trim().split('\n').slice(0, SHOWN_LINES);
    const usual = usualReason(output);
    const reason = usual ?? said.find((line) => !/^npm error code/.test(line)) ?? 'npm does not say why';
    throw new Trouble(`The npm packages could not be installed: ${reason}.`, usual ? '' : said.join('\n'));
  }
  const difference = firstDifference(wanted, (await readInstalled()) ?? {});
  if (difference)
    throw new Trouble(`package.json and package-lock.json contradict each other: ${difference}.`);
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
 * The first package that is missing or of another version. Optional ones may be missing: they are for other systems.
 *
 * @param {LockedPackages} wanted @param {LockedPackages} installed
 */
export function firstDifference(wanted, installed) {
  return Object.keys(wanted).find((path) => {
    if (path === '' || wanted[path].link) return false;
    const found = installed[path];
    return found ? found.version !== wanted[path].version : !wanted[path].optional;
  });
}
