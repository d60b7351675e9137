import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../lib/root.mjs';

/**
 * A package as the lock file has it.
 *
 * @typedef {object} LockedPackage
 * @property {string} path where it is installed
 * @property {string} name
 * @property {string} version
 * @property {string} [license] an SPDX expression; unknown of packages that the registry did not have
 * @property {string} [integrity] the checksum of its archive
 * @property {string} [resolved] where it comes from, if not from the registry by name and version
 * @property {boolean} dev needed to build and test only
 * @property {boolean} optional
 * @property {boolean} bound made for some systems only
 * @property {boolean} hasInstallScript
 * @property {string[]} optionalNames the packages that it names as optional, such as those for each system
 */

/** @returns {Promise<LockedPackage[]>} all but the project itself, in the order of the file */
export async function readLockedPackages(root = ROOT) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      license: entry.license,
      integrity: entry.integrity,
      resolved: entry.resolved,
      dev: Boolean(entry.dev),
      optional: Boolean(entry.optional || entry.devOptional),
      bound: Boolean(entry.os || entry.cpu),
      hasInstallScript: Boolean(entry.hasInstallScript),
      optionalNames: Object.keys(entry.optionalDependencies ?? {}),
    }));
}

/** @returns {Promise<Map<string, object>>} the `package.json` of the packages that are installed here, by path */
export async function readInstalledManifests(packages, root = ROOT) {
  const read = async ({ path }) => {
    const text = await readFile(join(root, path, 'package.json'), 'utf8').catch(() => undefined);
    return text === undefined ? [] : [[path, JSON.parse(text)]];
  };
  return new Map((await Promise.all(packages.map(read))).flat());
}
