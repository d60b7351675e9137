import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture, lastLine, usualReason } from './command.mjs';
import { ROOT } from './root.mjs';
import { say, Trouble } from './trouble.mjs';

/** Brings node_modules in step with package-lock.json; says nothing and does nothing when it is. */
export async function ensurePackages() {
  const wanted = await readLock(join(ROOT, 'package-lock.json'));
  if (!wanted) throw new Trouble(`package-lock.json is missing in ${ROOT}: this is no whole checkout.`);
  const installed = await readLock(join(ROOT, 'node_modules', '.package-lock.json'));
  if (installed && !firstDifference(wanted, installed)) return;
  say(
    `Installing npm packages (${installed ? 'node_modules is of another package-lock.json' : 'there are none yet'}) ...`,
  );
  const { code, output } = await capture('npm', [
    'ci',
    '--include=dev',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]);
  if (code === 0) return;
  if (code === 127) throw new Trouble('The command npm is missing; it comes with Node: https://nodejs.org/.');
  throw new Trouble(
    `The npm packages could not be installed: ${usualReason(output) ?? lastLine(output)}.`,
    output,
  );
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
